/** Options of the client's fetch. */
import { readActivationCode } from '@patch/contract/activation-code.ts';
import { maxChanges } from '@patch/contract/client-protocol-endpoints.ts';
import { ClientFailure } from './client-failure.ts';
import {
  type CommandRun,
  type Environment,
  parseInteger,
  type RepositoryOptions,
  readArguments,
  readRepository,
  sharedOptions,
} from './command-line.ts';

export interface ClientOptions extends RepositoryOptions {
  /** Null when the client was activated before. */
  readonly activationCode: string | null;
  readonly folder: string;
  /** Null for all lists of the licence's families. */
  readonly lists: readonly string[] | null;
  /** Records per page. */
  readonly size: number;
  /** Fetches everything again. */
  readonly fresh: boolean;
  /** Address or folder of the published tree; null for the one that the repository names. */
  readonly from: string | null;
  /** File of the root that is trusted first; null for the one that the repository gives. */
  readonly root: string | null;
  /** Asks the repository for changes, also when there is a published tree. */
  readonly changes: boolean;
}

export const usage = `Fetches what has changed in a patch repository, for a licensed client.

  node client/patch-client.ts --server https://patch.example.org --folder /var/lib/patch [--code XXXXX-…] [--lists almalinux_patch,debian_patch]

  --server   The repository's address.
  --folder   The folder of the copy: <list>.jsonl, one record per line; the last line of an id counts.
  --code     The activation code, for the first time. Better in the environment: PATCH_ACTIVATION_CODE.
  --lists    The lists to fetch, joined by commas; all of its families when left out.
             vulnerabilities (CVEs with KEV, CVSS, SSVC and EPSS) is fetched only when listed here.
  --size     Records per page, at most ${maxChanges}.
  --fresh    Fetch everything again and replace the existing copy.
  --from     Read the published catalogue from this address or folder (a USB stick) instead of the repository's.
  --root     A file with the root of the published catalogue to trust first, instead of the one that the repository gives.
  --changes  Ask the repository for changes, also when it publishes its catalogue.
  --tries    Attempts per request (6).
  --retry-after-ms  Wait before the second attempt (1000), doubled for each further one.
  --help

Which patches a machine lacks: node client/patch-client.ts assess --help.
Report machines to the repository: node client/patch-client.ts report --help.

Exit codes: 0 done, 1 unexpected, 2 wrong options, 3 refused by the repository, or what is published is refused, 4 repository not reached, 5 folder not usable,
130 and 143 interrupted. Whatever happened, the next call goes on where this one ended.
`;

export function readOptions(
  args: readonly string[],
  environment: Environment,
): ClientOptions | 'help' {
  const { values: given } = readArguments({
    args: [...args],
    options: {
      ...sharedOptions,
      folder: { type: 'string' },
      code: { type: 'string' },
      lists: { type: 'string' },
      size: { type: 'string', default: String(maxChanges) },
      fresh: { type: 'boolean' },
      from: { type: 'string' },
      root: { type: 'string' },
      changes: { type: 'boolean' },
    },
  });
  if (given.help === true) return 'help';
  const { folder } = given;
  const repository = readRepository(given);
  if (folder === undefined || folder === '')
    throw new ClientFailure('usage', '--folder must name the folder of the copy.');
  const typed = given.code ?? environment['PATCH_ACTIVATION_CODE'];
  const activationCode = typed === undefined || typed === '' ? null : readActivationCode(typed);
  if (activationCode === null && typed !== undefined && typed !== '')
    throw new ClientFailure(
      'usage',
      'The activation code is mistyped: a letter is wrong, missing or too many.',
    );
  const lists = given.lists?.split(',').map((list) => list.trim());
  if (lists?.some((list) => !/^[a-z]\w{0,62}$/.test(list)) === true)
    throw new ClientFailure(
      'usage',
      '--lists must be names joined by commas: almalinux_patch,debian_patch',
    );
  return {
    ...repository,
    activationCode,
    folder,
    lists: lists === undefined ? null : [...new Set(lists)],
    size: parseInteger('--size', given.size, 1, maxChanges),
    fresh: given.fresh === true,
    ...readPlaces(given),
  };
}

interface GivenPlaces {
  readonly from?: string;
  readonly root?: string;
  readonly changes?: boolean;
}

function readPlaces(given: GivenPlaces): Pick<ClientOptions, 'from' | 'root' | 'changes'> {
  const { from = null, root = null, changes = false } = given;
  if (from === '' || root === '')
    throw new ClientFailure('usage', '--from and --root must name an address, a folder or a file.');
  if (changes && (from !== null || root !== null))
    throw new ClientFailure('usage', '--changes cannot be used with --from or --root.');
  return { from, root, changes };
}

export type ClientRun = CommandRun<ClientOptions>;
