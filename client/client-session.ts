/** Authenticates a run at the repository: with the stored token, or the activation code. */
import { hostname } from 'node:os';
import {
  activateEndpoint,
  heartbeatEndpoint,
} from '@patch/contract/licensing/client-protocol-endpoints.ts';
import { requestRepository } from './ask-repository.ts';
import { ClientFailure, exitCodes, RepositoryRefusal } from './client-failure.ts';
import { type Identity, readIdentity, writeIdentity } from './client-folder.ts';
import type { ClientRun } from './client-options.ts';
import manifest from './package.json' with { type: 'json' };
import { type GrantedLicence, readAccess, writeAccess } from './stored-access.ts';
import { readPositions } from './tree-state.ts';
import { hasTrust, readUpdatedOn } from './tree-trust.ts';

export interface Session {
  /** Null: the repository is not asked, since a person brought the keys. */
  readonly identity: Identity | null;
  readonly licence: GrantedLicence;
  /** The licence is that of an earlier run. */
  readonly isStored: boolean;
  /** No access to a tree was stored, so that the repository does not know yet what the client has of it. */
  readonly isFirst: boolean;
}

export async function openSession(run: ClientRun): Promise<Session> {
  const { activationCode, folder, server, from, changes, keys, root } = run.options;
  if (keys !== null)
    return { identity: null, licence: keys.licence, isStored: true, isFirst: false };
  const identity = await readIdentity(folder, server);
  // A stored root may be the one that a person has just ceased to trust.
  const mayGoOn = identity !== null && !changes && (root !== null || hasTrust(folder));
  const stored = mayGoOn ? await readAccess(folder, server) : null;
  const isFirst = stored === null;
  if (identity !== null) {
    const isOffline = from !== null && !isWebAddress(from);
    if (stored !== null && (isOffline || Date.now() < stored.tree.nextHeartbeat))
      return { identity, licence: stored, isStored: true, isFirst };
    try {
      return { identity, licence: await sendHeartbeat(run, identity), isStored: false, isFirst };
    } catch (error) {
      if (stored !== null && isUnreachable(error)) {
        run.complain('The published catalogue is read with the keys of the last heartbeat.');
        return { identity, licence: stored, isStored: false, isFirst };
      }
      const isUnknown = error instanceof RepositoryRefusal && error.code === 'unknown_client';
      if (!isUnknown || activationCode === null) throw error;
    }
  }
  return { ...(await activate(run)), isStored: false, isFirst: true };
}

export const isWebAddress = (place: string) => /^https?:\/\//i.test(place);

const isUnreachable = (error: unknown): error is ClientFailure =>
  error instanceof ClientFailure && error.exitCode === exitCodes.unreachable;

async function activate(
  run: ClientRun,
): Promise<{ readonly identity: Identity; readonly licence: GrantedLicence }> {
  const { activationCode, folder, server, changes } = run.options;
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
  // Only the reply to a heartbeat tells where the tree is.
  if (!changes) return { identity, licence: await sendHeartbeat(run, identity) };
  return { identity, licence: { ...licence, tree: null } };
}

/** Says what the client has, and stores what it may fetch. */
export async function sendHeartbeat(
  run: ClientRun,
  { token }: Identity,
  updatedOn: number | null = null,
): Promise<GrantedLicence> {
  const { folder, server } = run.options;
  const positions = await readPositions(folder);
  const hasPositions = Object.keys(positions).length > 0;
  const repoUpdatedOn = updatedOn ?? (hasPositions ? await readUpdatedOn(folder, server) : null);
  const body = {
    applicationVersion: manifest.version,
    ...(repoUpdatedOn !== null && { repoUpdatedOn }),
    ...(hasPositions && { positions }),
  };
  const { path } = heartbeatEndpoint;
  const { json } = await requestRepository(run, { method: 'POST', path, token, body });
  const licence = heartbeatEndpoint.reply.parse(json);
  await writeAccess(folder, server, licence);
  return licence;
}
