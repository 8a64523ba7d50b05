/** Options of the client's fetch. */
import { readFileSync } from 'node:fs';
import { readActivationCode } from '@patch/contract/licensing/activation-code.ts';
import { CarriedKeys, maxChanges } from '@patch/contract/licensing/client-protocol-endpoints.ts';
import { TreeRefusal } from '@patch/contract/tree/tree-refusal.ts';
import { readRoot } from '@patch/contract/tree/tree-root.ts';
import { z } from 'zod';
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
import { decodeText } from './read-inventory-files.ts';

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
  /** What a person brought, so that the repository is not asked; null: ask it. */
  readonly keys: CarriedKeys | null;
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
  --keys     A file with the client's keys, downloaded by an administrator, for a machine that does not reach the repository.
             It takes the place of --server and --code, and is carried with the catalogue: --from /media/stick.
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
      keys: { type: 'string' },
      changes: { type: 'boolean' },
    },
  });
  if (given.help === true) return 'help';
  const { folder } = given;
  const keys = readKeys(given);
  const repository = readRepository({ ...given, ...(keys !== null && { server: keys.server }) });
  if (folder === undefined || folder === '')
    throw new ClientFailure('usage', '--folder must name the folder of the copy.');
  const typed = keys === null ? (given.code ?? environment['PATCH_ACTIVATION_CODE']) : undefined;
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
    keys,
    ...readPlaces(given),
  };
}

interface GivenKeys {
  readonly keys?: string;
  readonly from?: string;
  readonly server?: string;
  readonly code?: string;
  readonly changes?: boolean;
}

function readKeys({ keys, from, server, code, changes }: GivenKeys): CarriedKeys | null {
  if (keys === undefined) return null;
  if (from === undefined || (server ?? code ?? changes) !== undefined)
    throw new ClientFailure(
      'usage',
      '--keys needs --from, and cannot be used with --server, --code or --changes.',
    );
  try {
    const carried = CarriedKeys.parse(JSON.parse(decodeText(readFileSync(keys))));
    readRoot(Buffer.from(carried.licence.tree.root));
    return carried;
  } catch (error) {
    const reason = [SyntaxError, z.ZodError, TreeRefusal].some((kind) => error instanceof kind)
      ? 'is no'
      : 'cannot be read as a';
    throw new ClientFailure(
      'usage',
      `--keys ${keys} ${reason} file with keys: download it in the client's record, Keys for a closed network.`,
      { cause: error },
    );
  }
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
