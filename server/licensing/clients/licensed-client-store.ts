/** Database access for licensed clients. Their list is a view of this table. */

import { isDeepStrictEqual } from 'node:util';
import { getList } from '@patch/catalogue/lists.ts';
import { sha256Hex } from '@patch/catalogue/parsers/sha256.ts';
import { sourceLabels, type VendorSourceKey } from '@patch/catalogue/sources.ts';
import type { ClientEntry } from '@patch/contract/licensed-client-endpoints.ts';
import { z } from 'zod';
import { arrayText } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { raiseRevision } from '../../platform/database/list-revision-store.ts';
import { IdRow, openWord } from '../../platform/database/plain-rows.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { type Cell, storedRow, withoutNul } from '../../platform/database/stored-row.ts';

const list = getList('floto_user');

/** All values that are written for a client. */
export interface ClientContent extends Omit<ClientEntry, 'families' | 'reportsMachines'> {
  readonly reportsMachines: boolean;
  readonly families: readonly VendorSourceKey[];
  /** Sealed with the service's key. */
  readonly sealedCode: string;
  readonly repoUpdatedOn: number | null;
  readonly latestKbRequestOn: number | null;
  readonly registeredOn: number | null;
  readonly applicationVersion: string;
  /** Empty until the client has activated. */
  readonly hostName: string;
  readonly revokedOn: number | null;
  readonly revokedBy: string;
}

export interface StoredClient extends ClientContent {
  readonly id: number;
  readonly key: string;
  readonly createdOn: number;
  readonly hasToken: boolean;
  /** The end of an allowed re-activation; null: not allowed. */
  readonly reactivationUntil: number | null;
}

const ClientRow = z.object({
  id: z.number(),
  key: z.string(),
  created_time: z.number(),
  client_name: z.string().nullable(),
  license_type: openWord<ClientEntry['licenseType']>().nullable(),
  license_expiry: z.number().nullable(),
  sealed_code: z.string().nullable(),
  repo_updated_on: z.number().nullable(),
  latest_kb_request_on: z.number().nullable(),
  registered_on: z.number().nullable(),
  application_version: z.string().nullable(),
  deployment_mode: openWord<ClientEntry['deploymentMode']>(),
  environment: openWord<ClientEntry['environment']>(),
  families: z.array(openWord<VendorSourceKey>()),
  technician_licence: openWord<ClientEntry['technicianLicence']>(),
  technicians: z.number(),
  it_assets: z.number(),
  non_it_assets: z.number(),
  end_points: z.number(),
  contact_email: z.string(),
  notes: z.string(),
  host_name: z.string(),
  revoked_on: z.number().nullable(),
  revoked_by: z.string(),
  reports_machines: z.boolean(),
  has_token: z.boolean(),
  reactivation_until: z.number().nullable(),
});
type ClientRow = z.infer<typeof ClientRow>;

const columns = Object.keys(ClientRow.shape).filter((name) => name !== 'has_token');

const selected = `select ${columns.join(', ')}, token_hash is not null as has_token from licensed_client`;

export async function readClient(database: Queryable, id: number): Promise<StoredClient | null> {
  return firstClient(await queryRows(database, ClientRow, `${selected} where id = $1`, [id]));
}

/**
 * Locks the client until the transaction ends. A second statement reads it: a statement that waits
 * for a lock sees other tables as they were before the wait, and writing that back would undo
 * concurrent changes.
 */
export async function lockClient(tx: Queryable, id: number): Promise<StoredClient | null> {
  await tx.query('select 1 from licensed_client where id = $1 for update', [id]);
  return readClient(tx, id);
}

/** As `lockClient`. */
export async function lockClientByCode(
  tx: Queryable,
  activationCode: string,
): Promise<StoredClient | null> {
  const rows = await queryRows(
    tx,
    IdRow,
    'select id from licensed_client where code_hash = $1 for update',
    [hashCode(activationCode)],
  );
  return rows[0] === undefined ? null : readClient(tx, rows[0].id);
}

/**
 * A plain SHA-256 is enough: a code has 120 random bits, so its hash cannot be reversed by trial.
 */
export const hashCode = (activationCode: string) => sha256Hex(activationCode);

export async function findClientByToken(
  database: Queryable,
  tokenHash: string,
): Promise<StoredClient | null> {
  return firstClient(
    await queryRows(database, ClientRow, `${selected} where token_hash = $1`, [tokenHash]),
  );
}

/** Returns the ids of the clients that were written after this revision of the registry. */
export async function findClientsChangedSince(
  database: Queryable,
  revision: number,
): Promise<readonly number[]> {
  const text = 'select id from licensed_client where revision > $1';
  return (await queryRows(database, IdRow, text, [revision])).map(({ id }) => id);
}

export async function readAllClients(database: Queryable): Promise<readonly StoredClient[]> {
  const rows = await queryRows(database, ClientRow, `${selected} order by client_name_folded, id`);
  return rows.map(toStoredClient);
}

/** Returns the clients whose licence expires after `after` and not after `until`. */
export async function findClientsExpiring(
  database: Queryable,
  after: number,
  until: number,
): Promise<readonly StoredClient[]> {
  const rows = await queryRows(
    database,
    ClientRow,
    `${selected} where license_expiry > $1 and license_expiry <= $2 order by license_expiry, id`,
    [after, until],
  );
  return rows.map(toStoredClient);
}

/** Returns the clients that are not revoked, whose licence has ended, and whose end has caused no event yet. */
export async function findClientsEnded(
  database: Queryable,
  now: number,
): Promise<readonly StoredClient[]> {
  const rows = await queryRows(
    database,
    ClientRow,
    `${selected} where license_expiry <= $1 and revoked_on is null and not exists (select from licence_warning
       where client_id = licensed_client.id and licence_warning.license_expiry = licensed_client.license_expiry and days = 0)
     order by license_expiry, id`,
    [now],
  );
  return rows.map(toStoredClient);
}

/**
 * Returns the new client's id.
 * @param codeHash Hash of the code that is sealed in the content.
 */
export async function addClient(
  tx: Queryable,
  key: string,
  content: ClientContent,
  codeHash: string,
  now: number,
): Promise<number> {
  const revision = await raiseRevision(tx, list, 1);
  const written = {
    key,
    created_time: now,
    updated_time: now,
    revision,
    code_hash: codeHash,
    ...writtenColumns(content),
  };
  const names = Object.keys(written);
  const rows = await queryRows(
    tx,
    IdRow,
    `insert into licensed_client (${names.join(', ')}) values (${names.map((_, index) => `$${index + 1}`).join(', ')}) returning id`,
    Object.values(written),
  );
  if (rows[0] === undefined) throw new Error('A licensed client was not written');
  return rows[0].id;
}

/**
 * Requires that the client is locked. Writes nothing and raises no revision when no value changes.
 */
export async function changeClient(
  tx: Queryable,
  client: StoredClient,
  to: Partial<ClientContent>,
  now: number,
): Promise<void> {
  const changed = { ...client, ...to };
  if (isDeepStrictEqual(changed, client)) return;
  const revision = await raiseRevision(tx, list, 0);
  const written = { updated_time: now, revision, ...writtenColumns(changed) };
  const set = Object.keys(written).map((name, index) => `${name} = $${index + 2}`);
  await tx.query(`update licensed_client set ${set.join(', ')} where id = $1`, [
    client.id,
    ...Object.values(written),
  ]);
}

/**
 * Sets the token (null: no token is valid) and ends an allowed re-activation. Raises the revision,
 * by which other processes learn that the old token is invalid.
 */
export async function setTokenHash(
  tx: Queryable,
  id: number,
  tokenHash: string | null,
): Promise<void> {
  const revision = await raiseRevision(tx, list, 0);
  await tx.query(
    'update licensed_client set token_hash = $2, reactivation_until = null, revision = $3 where id = $1',
    [id, tokenHash, revision],
  );
}

export async function setCodeHash(tx: Queryable, id: number, codeHash: string): Promise<void> {
  await tx.query('update licensed_client set code_hash = $2 where id = $1', [id, codeHash]);
}

export async function allowReactivation(tx: Queryable, id: number, until: number): Promise<void> {
  await tx.query('update licensed_client set reactivation_until = $2 where id = $1', [id, until]);
}

/** Returns the columns for the content, including those that searches compare. */
function writtenColumns(content: ClientContent): Readonly<Record<string, Cell>> {
  const { sealedCode, families } = content;
  const familyNames = families.map((family) => sourceLabels[family]);
  const {
    activation_code,
    activation_code_folded: _unused,
    ...searched
  } = storedRow(list, { ...content, activationCode: sealedCode }, {});
  return {
    ...searched,
    sealed_code: activation_code ?? null,
    deployment_mode: content.deploymentMode,
    environment: content.environment,
    families: arrayText(families),
    family_names: arrayText(familyNames),
    technician_licence: content.technicianLicence,
    technicians: content.technicians,
    it_assets: content.itAssets,
    non_it_assets: content.nonItAssets,
    end_points: content.endPoints,
    contact_email: withoutNul(content.contactEmail),
    notes: withoutNul(content.notes),
    host_name: withoutNul(content.hostName),
    revoked_on: content.revokedOn,
    revoked_by: withoutNul(content.revokedBy),
    reports_machines: content.reportsMachines,
  };
}

function firstClient(rows: readonly ClientRow[]): StoredClient | null {
  const [row] = rows;
  return row === undefined ? null : toStoredClient(row);
}

function toStoredClient(row: ClientRow): StoredClient {
  return {
    id: row.id,
    key: row.key,
    createdOn: row.created_time,
    clientName: row.client_name ?? '',
    licenseType: row.license_type ?? 'trial',
    licenseExpiry: row.license_expiry,
    sealedCode: row.sealed_code ?? '',
    repoUpdatedOn: row.repo_updated_on,
    latestKbRequestOn: row.latest_kb_request_on,
    registeredOn: row.registered_on,
    applicationVersion: row.application_version ?? '',
    deploymentMode: row.deployment_mode,
    environment: row.environment,
    families: row.families,
    technicianLicence: row.technician_licence,
    technicians: row.technicians,
    itAssets: row.it_assets,
    nonItAssets: row.non_it_assets,
    endPoints: row.end_points,
    contactEmail: row.contact_email,
    notes: row.notes,
    hostName: row.host_name,
    revokedOn: row.revoked_on,
    revokedBy: row.revoked_by,
    reportsMachines: row.reports_machines,
    hasToken: row.has_token,
    reactivationUntil: row.reactivation_until,
  };
}
