/** What a report of machines is called with. */
import { parseArgs } from 'node:util';
import { ClientFailure } from './client-failure.ts';
import { wholeNumber } from './whole-number.ts';

export interface ReportOptions {
  /** Without a slash at its end. */
  readonly server: string;
  /** Of the activated client. */
  readonly folder: string;
  /** Files, each of one machine, or folders of such files. */
  readonly paths: readonly string[];
  readonly tries: number;
  readonly retryAfterMs: number;
}

export const reportUsage = `Reports machines to a patch repository, which then knows what each of them misses. An administrator has to allow it for the client.

  node client/patch-client.ts report --server https://patch.example.org --folder /var/lib/patch <file or folder>…

  <file>     What the tools of one machine printed. The file's name without its ending is the key of the machine.
  <folder>   Every .txt and .json file in it.
  --server   The repository's address, or PATCH_SERVER in the environment.
  --folder   The folder of the activated client.
  --tries    How often a request is tried (6).
  --retry-after-ms  Wait before the second try (1000), doubled for each after it.
  --help

Exit codes: 0 all machines were reported, 12 some were refused, 1 unexpected, 2 wrong options or a file that cannot be read, 3 refused by
the repository, 4 repository not reached, 130 and 143 interrupted. A report replaces the one before; calling again does no harm.
`;

export function readReportOptions(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): ReportOptions | 'help' {
  const { values, positionals } = parse(args);
  if (values.help === true) return 'help';
  const server = values.server ?? environment['PATCH_SERVER'] ?? '';
  if (!URL.canParse(server) || !/^https?:$/.test(new URL(server).protocol))
    throw new ClientFailure(
      'usage',
      '--server or PATCH_SERVER must be the http(s) address of the repository: https://patch.example.org',
    );
  const { folder } = values;
  if (folder === undefined || folder === '')
    throw new ClientFailure('usage', '--folder must name the folder of the activated client.');
  if (positionals.length === 0)
    throw new ClientFailure('usage', 'Name the files of the machines, or a folder of such files.');
  return {
    server: server.replace(/\/+$/, ''),
    folder,
    paths: positionals,
    tries: wholeNumber('--tries', values.tries, 1, 100),
    retryAfterMs: wholeNumber('--retry-after-ms', values['retry-after-ms'], 1, 3_600_000),
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        server: { type: 'string' },
        folder: { type: 'string' },
        tries: { type: 'string', default: '6' },
        'retry-after-ms': { type: 'string', default: '1000' },
        help: { type: 'boolean' },
      },
    });
  } catch (error) {
    throw new ClientFailure('usage', error instanceof Error ? error.message : String(error), {
      cause: error,
    });
  }
}
