/** A registered client, and the records that it may fetch. */
import type { CatalogueList } from '@patch/catalogue/lists.ts';
import type { ClientEntry, LicensedClient } from '@patch/contract/licensed-client-endpoints.ts';
import type { withSignInApp } from '../../../identity/sign-in/testing/sign-in-app.ts';
import { contentHash } from '../../../platform/database/content-hash.ts';
import type { Database } from '../../../platform/database/database.ts';
import { withdraw, writeEntries } from '../../../platform/database/entry-writer.ts';
import { buildClient, registerClient } from '../../../testing/factories.ts';

export const day = 24 * 3_600_000;

type Service = ReturnType<typeof withSignInApp>;

export async function register(
  service: Service,
  more: Partial<ClientEntry> = {},
): Promise<LicensedClient> {
  const token = await service.tokenOf('operator');
  return registerClient(service.app, token, buildClient(service.now, more));
}

export async function activate(
  service: Service,
  { activationCode }: Pick<LicensedClient, 'activationCode'>,
): Promise<string> {
  const { json } = await service.ask('POST', '/client/activate', {
    body: { activationCode, applicationVersion: '1.0', hostName: 'repo-1' },
  });
  return String(json['token']);
}

/** Answers their numbers by key. */
export async function writeRecords(
  database: Database,
  list: CatalogueList,
  keys: readonly string[],
  row: Readonly<Record<string, unknown>> = {},
  now = 1_000,
): Promise<ReadonlyMap<string, number>> {
  const entries = keys.map((key) => {
    const written = { title: key, ...row };
    const detail = { description: `About ${key}: "quoted", \\ and\nmore` };
    return { key, row: written, detail, contentHash: contentHash(written, detail) };
  });
  const changes = await database.transaction((tx) => writeEntries(tx, list, 'part', entries, now));
  return new Map(changes.map(({ key, rowId }) => [key, rowId]));
}

export async function withdrawRecords(
  database: Database,
  list: CatalogueList,
  ids: readonly number[],
  now = 2_000,
): Promise<void> {
  await database.transaction((tx) => withdraw(tx, list, ids, now));
}

export async function emptyRegistry(database: Database): Promise<void> {
  await database.script(
    'delete from licensed_client; delete from almalinux_patch; delete from debian_patch; delete from patch_repository; delete from kb_repository; delete from patch; update list_revision set listed = 0, revision = revision + 1;',
  );
}
