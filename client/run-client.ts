/** One run of the client: authenticates, fetches its lists, and reports what it fetched. */
import { hostname } from 'node:os';
import { readActivationCode } from '@patch/contract/activation-code.ts';
import {
  activateEndpoint,
  type ClientLicence,
  heartbeatEndpoint,
  maxChanges,
} from '@patch/contract/client-protocol-endpoints.ts';
import { requestRepository } from './ask-repository.ts';
import { ClientFailure, exitCodes, RepositoryRefusal } from './client-failure.ts';
import { type Identity, lockFolder, readIdentity, writeIdentity } from './client-folder.ts';
import {
  type CommandRun,
  type Environment,
  parseInteger,
  type RepositoryOptions,
  readArguments,
  readRepository,
  sharedOptions,
  type Verb,
} from './command-line.ts';
import { type Fetched, fetchList } from './fetch-list.ts';
import manifest from './package.json' with { type: 'json' };

interface ClientOptions extends RepositoryOptions {
  /** Null when the client was activated before. */
  readonly activationCode: string | null;
  readonly folder: string;
  /** Null for all lists of the licence's families. */
  readonly lists: readonly string[] | null;
  /** Records per page. */
  readonly size: number;
  /** Fetches everything again. */
  readonly fresh: boolean;
}

const usage = `Fetches what has changed in a patch repository, for a licensed client.

  node client/patch-client.ts --server https://patch.example.org --folder /var/lib/patch [--code XXXXX-…] [--lists almalinux_patch,debian_patch]

  --server   The repository's address.
  --folder   The folder of the copy: <list>.jsonl, one record per line; the last line of an id counts.
  --code     The activation code, for the first time. Better in the environment: PATCH_ACTIVATION_CODE.
  --lists    The lists to fetch, joined by commas; all of its families when left out.
             vulnerabilities (CVEs with KEV, CVSS, SSVC and EPSS) is fetched only when listed here.
  --size     Records per page, at most ${maxChanges}.
  --fresh    Fetch everything again and replace the existing copy.
  --tries    Attempts per request (6).
  --retry-after-ms  Wait before the second attempt (1000), doubled for each further one.
  --help

Which patches a machine lacks: node client/patch-client.ts assess --help.
Report machines to the repository: node client/patch-client.ts report --help.

Exit codes: 0 done, 1 unexpected, 2 wrong options, 3 refused by the repository, 4 repository not reached, 5 folder not usable,
130 and 143 interrupted. Whatever happened, the next call goes on where this one ended.
`;

function readOptions(args: readonly string[], environment: Environment): ClientOptions | 'help' {
  const { values: given } = readArguments({
    args: [...args],
    options: {
      ...sharedOptions,
      folder: { type: 'string' },
      code: { type: 'string' },
      lists: { type: 'string' },
      size: { type: 'string', default: String(maxChanges) },
      fresh: { type: 'boolean' },
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
  };
}

type ClientRun = CommandRun<ClientOptions>;

/** Returns the exit code. Throws a ClientFailure. */
async function runClient(run: ClientRun): Promise<number> {
  const { options, say } = run;
  const { folder, size, fresh } = options;
  const unlock = lockFolder(folder);
  try {
    const { identity, licence } = await authenticate(run);
    const lists = options.lists ?? licence.lists;
    const covered = [...licence.lists, ...licence.optionalLists];
    const foreign = lists.filter((list) => !covered.includes(list));
    if (foreign.length > 0)
      throw new ClientFailure(
        'refused',
        `The licence does not cover ${foreign.join(', ')}. It covers: ${covered.join(', ')}.`,
      );
    for (const list of lists) {
      const begun = performance.now();
      const { token } = identity;
      const fetched = await fetchList({ run, token, folder, list, size, fresh });
      say(formatResult(list, fetched, performance.now() - begun));
    }
    await heartbeat(run, identity, { repoUpdatedOn: Date.now() });
    return exitCodes.done;
  } finally {
    unlock();
  }
}

interface Authenticated {
  readonly identity: Identity;
  readonly licence: ClientLicence;
}

/** Uses the stored token, or the activation code when the token is no longer valid. */
async function authenticate(run: ClientRun): Promise<Authenticated> {
  const { activationCode, folder, server } = run.options;
  const stored = await readIdentity(folder, server);
  if (stored !== null) {
    try {
      return { identity: stored, licence: await heartbeat(run, stored) };
    } catch (error) {
      if (
        !(error instanceof RepositoryRefusal && error.code === 'unknown_client') ||
        activationCode === null
      )
        throw error;
    }
  }
  if (activationCode === null)
    throw new ClientFailure(
      'usage',
      `${folder} holds no activation at ${server}. Give the activation code: --code, or PATCH_ACTIVATION_CODE.`,
    );
  const body = { activationCode, applicationVersion: manifest.version, hostName: hostname() };
  const { path } = activateEndpoint;
  const { json } = await requestRepository(run, { method: 'POST', path, body });
  const { token, ...licence } = activateEndpoint.reply.parse(json);
  const identity = { server, token, clientId: licence.clientId, clientName: licence.clientName };
  await writeIdentity(folder, identity);
  run.say(`Activated as ${licence.clientName}.`);
  return { identity, licence };
}

async function heartbeat(
  run: ClientRun,
  { token }: Identity,
  more: { readonly repoUpdatedOn?: number } = {},
): Promise<ClientLicence> {
  const body = { applicationVersion: manifest.version, ...more };
  const { path } = heartbeatEndpoint;
  const { json } = await requestRepository(run, { method: 'POST', path, token, body });
  return heartbeatEndpoint.reply.parse(json);
}

function formatResult(
  list: string,
  { records, withdrawn, pages, begunAgain }: Fetched,
  took: number,
): string {
  const again = begunAgain ? ', begun again: the repository was restored' : '';
  if (records + withdrawn === 0) return `${list}: nothing new${again}`;
  const gone = withdrawn === 0 ? '' : `, ${withdrawn} withdrawn`;
  return `${list}: ${records} records${gone}, ${pages} ${pages === 1 ? 'page' : 'pages'}, ${(took / 1000).toFixed(1)} s${again}`;
}

export const fetchVerb: Verb<ClientOptions> = { usage, readOptions, run: runClient };
