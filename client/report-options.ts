/** Command-line options of a report of machines. */
import { ClientFailure } from './client-failure.ts';
import {
  type Retries,
  readArguments,
  readRetries,
  serverAddress,
  sharedOptions,
} from './command-line.ts';

export interface ReportOptions extends Retries {
  /** Without a trailing slash. */
  readonly server: string;
  /** Folder of the activated client. */
  readonly folder: string;
  /** Files of one machine each, or folders of such files. */
  readonly paths: readonly string[];
}

export const reportUsage = `Reports machines to a patch repository, which then knows what each of them misses. An administrator has to allow it for the client.

  node client/patch-client.ts report --server https://patch.example.org --folder /var/lib/patch <file or folder>…

  <file>     What the tools of one machine printed. The file's name without its ending is the key of the machine.
  <folder>   Every .txt and .json file in it.
  --server   The repository's address, or PATCH_SERVER in the environment.
  --folder   The folder of the activated client.
  --tries    Attempts per request (6).
  --retry-after-ms  Wait before the second attempt (1000), doubled for each further one.
  --help

Exit codes: 0 all machines were reported, 12 some were refused, 1 unexpected, 2 wrong options or a file that cannot be read, 3 refused by
the repository, 4 repository not reached, 130 and 143 interrupted. A report replaces the one before; calling again does no harm.
`;

export function readReportOptions(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): ReportOptions | 'help' {
  const { values, positionals } = readArguments({
    args: [...args],
    allowPositionals: true,
    options: { ...sharedOptions, folder: { type: 'string' } },
  });
  if (values.help === true) return 'help';
  const server = serverAddress(
    values.server ?? environment['PATCH_SERVER'],
    '--server or PATCH_SERVER',
  );
  const { folder } = values;
  if (folder === undefined || folder === '')
    throw new ClientFailure('usage', '--folder must name the folder of the activated client.');
  if (positionals.length === 0)
    throw new ClientFailure('usage', 'Name the files of the machines, or a folder of such files.');
  return {
    server,
    folder,
    paths: positionals,
    ...readRetries(values),
  };
}
