/** One run of the client: authenticates, fetches its lists, and reports what it fetched. */
import { hostname } from 'node:os';
import {
  activateEndpoint,
  type ClientLicence,
  heartbeatEndpoint,
} from '@patch/contract/client-protocol-endpoints.ts';
import { type RequestContext, requestRepository } from './ask-repository.ts';
import { ClientFailure, RepositoryRefusal } from './client-failure.ts';
import { type Identity, lockFolder, readIdentity, writeIdentity } from './client-folder.ts';
import type { ClientOptions } from './client-options.ts';
import { type Fetched, fetchList } from './fetch-list.ts';
import manifest from './package.json' with { type: 'json' };

export interface ClientRun {
  readonly options: ClientOptions;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
  readonly complain: (line: string) => void;
}

export async function runClient({ options, signal, say, complain }: ClientRun): Promise<void> {
  const { server, folder, tries, retryAfterMs, size, fresh } = options;
  const context: RequestContext = { server, tries, retryAfterMs, signal, onRetry: complain };
  const unlock = lockFolder(folder);
  try {
    const { identity, licence } = await authenticate(context, options, say);
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
      const fetched = await fetchList({
        context,
        token: identity.token,
        folder,
        list,
        size,
        fresh,
      });
      say(formatResult(list, fetched, performance.now() - begun));
    }
    await heartbeat(context, identity, { repoUpdatedOn: Date.now() });
  } finally {
    unlock();
  }
}

interface Authenticated {
  readonly identity: Identity;
  readonly licence: ClientLicence;
}

/** Uses the stored token, or the activation code when the token is no longer valid. */
async function authenticate(
  context: RequestContext,
  { activationCode, folder, server }: ClientOptions,
  say: ClientRun['say'],
): Promise<Authenticated> {
  const stored = await readIdentity(folder, server);
  if (stored !== null) {
    try {
      return { identity: stored, licence: await heartbeat(context, stored) };
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
  const { json } = await requestRepository(context, {
    method: 'POST',
    path: activateEndpoint.path,
    body,
  });
  const { token, ...licence } = activateEndpoint.reply.parse(json);
  const identity = { server, token, clientId: licence.clientId, clientName: licence.clientName };
  await writeIdentity(folder, identity);
  say(`Activated as ${licence.clientName}.`);
  return { identity, licence };
}

async function heartbeat(
  context: RequestContext,
  { token }: Identity,
  more: { readonly repoUpdatedOn?: number } = {},
): Promise<ClientLicence> {
  const body = { applicationVersion: manifest.version, ...more };
  const { json } = await requestRepository(context, {
    method: 'POST',
    path: heartbeatEndpoint.path,
    token,
    body,
  });
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
