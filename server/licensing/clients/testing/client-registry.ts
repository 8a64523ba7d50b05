/** Registers and activates licensed clients and fetches their changes. */
import {
  type ClientChange,
  ClientChanges,
} from '@patch/contract/licensing/client-protocol-endpoints.ts';
import type {
  ClientEntry,
  LicensedClient,
} from '@patch/contract/licensing/licensed-client-endpoints.ts';
import type { SignInApp } from '../../../identity/sign-in/testing/sign-in-app.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { Caller } from '../../../testing/caller.ts';
import { buildClient } from '../../../testing/factories.ts';

export async function register(
  service: SignInApp,
  more: Partial<ClientEntry> = {},
): Promise<LicensedClient> {
  const entry = buildClient(service.now, more);
  const { status, json } = await service.operator.post('/windows/user', entry);
  if (status !== 201) throw new Error(`The client was not registered: ${JSON.stringify(json)}`);
  return json as unknown as LicensedClient;
}

/** Returns the token. */
export async function activate(
  service: SignInApp,
  { activationCode }: Pick<LicensedClient, 'activationCode'>,
): Promise<string> {
  const body = { activationCode, applicationVersion: '1.0', hostName: 'repo-1' };
  const { status, json } = await service.anyone.post('/client/activate', body);
  if (status !== 200) throw new Error(String(json['userMessage']));
  return String(json['token']);
}

/** Returns an activated client and the caller with its token. */
export async function activeClient(
  service: SignInApp,
  more: Partial<ClientEntry> = {},
): Promise<{ readonly id: number; readonly client: LicensedClient; readonly caller: Caller }> {
  const client = await register(service, more);
  return { id: client.id, client, caller: service.as(await activate(service, client)) };
}

/** Returns one page; throws when the request is refused. */
export async function fetchPage(caller: Caller, list: string, query = ''): Promise<ClientChanges> {
  const { status, json } = await caller.get(`/client/changes?list=${list}${query}`);
  if (status !== 200) throw new Error(JSON.stringify(json));
  return ClientChanges.parse(json);
}

/** Follows a list from page to page; each call returns the changes since the previous call. */
export function follower(caller: Caller, list: string, size = 100, since?: string) {
  let cursor = since;
  return async (): Promise<ClientChange[]> => {
    const rows: ClientChange[] = [];
    for (let more = true; more; ) {
      const from = cursor === undefined ? '' : `&since=${cursor}`;
      const page = await fetchPage(caller, list, `&size=${size}${from}`);
      rows.push(...page.rows);
      cursor = page.nextCursor;
      more = page.more;
    }
    return rows;
  };
}

export async function emptyRegistry(database: Database): Promise<void> {
  await database.script(
    'delete from licensed_client; delete from almalinux_patch; delete from debian_patch; delete from patch_repository; delete from kb_repository; delete from patch; update list_revision set listed = 0, revision = revision + 1;',
  );
}
