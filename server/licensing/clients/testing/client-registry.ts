/** A registered client, and the records that it may fetch. */
import type { CatalogueList } from '@patch/catalogue/lists.ts';
import type { ClientEntry, LicensedClient } from '@patch/contract/licensed-client-endpoints.ts';
import type { withSignInApp } from '../../../identity/sign-in/testing/sign-in-app.ts';
import { contentHash } from '../../../platform/database/content-hash.ts';
import type { Database } from '../../../platform/database/database.ts';
import { withdraw, writeEntries } from '../../../platform/database/entry-writer.ts';

export const day = 24 * 3_600_000;

export const clientEntry = (now: number, more: Partial<ClientEntry> = {}): ClientEntry => ({
  clientName: 'North Hospital',
  licenseType: 'subscription',
  licenseExpiry: now + 300 * day,
  deploymentMode: 'standalone',
  environment: 'production',
  technicianLicence: 'named',
  technicians: 4,
  itAssets: 500,
  nonItAssets: 20,
  endPoints: 450,
  families: ['almaLinux', 'debian'],
  contactEmail: 'it@north.example',
  notes: 'Second floor.\nRing twice.',
  ...more,
});

type Service = ReturnType<typeof withSignInApp>;

export async function register(
  service: Service,
  more: Partial<ClientEntry> = {},
): Promise<LicensedClient> {
  const token = await service.tokenOf('operator');
  const { status, json } = await service.ask('POST', '/windows/user', {
    token,
    body: clientEntry(service.now, more),
  });
  if (status !== 201) throw new Error(`Not registered: ${JSON.stringify(json)}`);
  return json as unknown as LicensedClient;
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
