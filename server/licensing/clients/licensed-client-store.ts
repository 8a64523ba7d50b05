/** Database access for licensed clients: their rows, which are a list like any other, and the hashes of their codes and tokens. */

import { listOfKey } from '@patch/catalogue/lists.ts';
import { sha256Hex } from '@patch/catalogue/parsers/sha256.ts';
import { type SourceKey, sourceLabels } from '@patch/catalogue/sources.ts';
import type { ClientEntry } from '@patch/contract/licensed-client-endpoints.ts';
import { z } from 'zod';
import { contentHash } from '../../platform/database/content-hash.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { writeEntries } from '../../platform/database/entry-writer.ts';
import { IdRow, openWord, ownJson } from '../../platform/database/plain-rows.ts';
import { queryRows } from '../../platform/database/query-rows.ts';

const list = listOfKey('floto_user');

interface ClientRow extends Pick<ClientEntry, 'clientName' | 'licenseType' | 'licenseExpiry'> {
  /** Sealed with the service's key. */
  readonly activationCode: string;
  readonly repoUpdatedOn: number | null;
  readonly latestKbRequestOn: number | null;
  readonly registeredOn: number | null;
  readonly applicationVersion: string;
}

interface ClientFacts
  extends Omit<ClientEntry, 'clientName' | 'licenseType' | 'licenseExpiry' | 'families'> {
  readonly families: readonly SourceKey[];
  /** Empty until the code is used. */
  readonly hostName: string;
  readonly revokedOn: number | null;
  readonly revokedBy: string;
}

/** Everything that is written for a client. */
export interface ClientContent extends Omit<ClientRow, 'activationCode'>, ClientFacts {
  /** Sealed with the service's key. */
  readonly sealedCode: string;
}

export interface StoredClient extends ClientContent {
  readonly id: number;
  readonly key: string;
  readonly createdOn: number;
  /** Whether the client has a valid token. */
  readonly hasToken: boolean;
  /** Until when the code may be used once more; null: it may not. */
  readonly reactivationUntil: number | null;
}

const FoundClient = z.object({
  id: z.number(),
  natural_key: z.string(),
  created_time: z.number(),
  client_name: z.string().nullable(),
  license_type: openWord<ClientEntry['licenseType']>().nullable(),
  license_expiry: z.number().nullable(),
  activation_code: z.string().nullable(),
  repo_updated_on: z.number().nullable(),
  latest_kb_request_on: z.number().nullable(),
  registered_on: z.number().nullable(),
  application_version: z.string().nullable(),
  detail: ownJson<Partial<ClientFacts>>().nullable(),
  has_token: z.boolean(),
  reactivation_until: z.number().nullable(),
});
type FoundClient = z.infer<typeof FoundClient>;

const found = `select u.id, u.natural_key, u.created_time, u.client_name, u.license_type, u.license_expiry, u.activation_code,
  u.repo_updated_on, u.latest_kb_request_on, u.registered_on, u.application_version, d.detail, c.token_hash is not null as has_token, c.reactivation_until
  from floto_user as u join licensed_client as c on c.row_id = u.id
  left join entry_detail as d on d.list = 'floto_user' and d.row_id = u.id`;

export async function readClient(database: Queryable, id: number): Promise<StoredClient | null> {
  return oneOf(await queryRows(database, FoundClient, `${found} where u.id = $1`, [id]));
}

/**
 * Inside a transaction: locks the client until the transaction ends. Read by a separate statement: one that waits for a
 * lock sees the other tables as they were before the wait, and writing that back would undo concurrent changes.
 */
export async function lockClient(tx: Queryable, id: number): Promise<StoredClient | null> {
  await tx.query('select 1 from licensed_client where row_id = $1 for update', [id]);
  return readClient(tx, id);
}

/** As `lockClient`. */
export async function lockClientOfCode(
  tx: Queryable,
  activationCode: string,
): Promise<StoredClient | null> {
  const rows = await queryRows(
    tx,
    IdRow,
    `select row_id as id from licensed_client join floto_user on floto_user.id = row_id
     where code_hash = $1 and withdrawn_time is null for update of licensed_client`,
    [hashOfCode(activationCode)],
  );
  return rows[0] === undefined ? null : readClient(tx, rows[0].id);
}

/** SHA-256: a code has 120 random bits, so that its hash cannot be searched for. */
export const hashOfCode = (activationCode: string) => sha256Hex(activationCode);

export async function clientOfToken(
  database: Queryable,
  tokenHash: string,
): Promise<StoredClient | null> {
  return oneOf(
    await queryRows(database, FoundClient, `${found} where c.token_hash = $1`, [tokenHash]),
  );
}

/** Ordered by name. */
export async function allClients(database: Queryable): Promise<readonly StoredClient[]> {
  const rows = await queryRows(
    database,
    FoundClient,
    `${found} where u.withdrawn_time is null order by u.client_name_folded, u.id`,
  );
  return rows.map(keptClient);
}

/** Clients whose licence ends after the first and not after the second instant. */
export async function clientsEnding(
  database: Queryable,
  after: number,
  until: number,
): Promise<readonly StoredClient[]> {
  const rows = await queryRows(
    database,
    FoundClient,
    `${found} where u.license_expiry > $1 and u.license_expiry <= $2 and u.withdrawn_time is null order by u.license_expiry, u.id`,
    [after, until],
  );
  return rows.map(keptClient);
}

/** Returns the new client's number. `codeHash`: hash of the code that is sealed in the content. */
export async function addClient(
  tx: Queryable,
  key: string,
  content: ClientContent,
  codeHash: string,
  now: number,
): Promise<number> {
  const id = await write(tx, key, content, now);
  if (id === null) throw new Error('A licensed client was to be added and is there already');
  await tx.query('insert into licensed_client (row_id, code_hash) values ($1, $2)', [id, codeHash]);
  return id;
}

/** Unchanged values are not written. */
export async function changeClient(
  tx: Queryable,
  client: StoredClient,
  to: Partial<ClientContent>,
  now: number,
): Promise<void> {
  const {
    id: _id,
    key,
    createdOn: _createdOn,
    hasToken: _hasToken,
    reactivationUntil: _until,
    ...content
  } = client;
  await write(tx, key, { ...content, ...to }, now);
}

/** Null: no token is valid any longer. A re-activation that was allowed has been used, or is not needed. */
export async function setTokenHash(
  tx: Queryable,
  id: number,
  tokenHash: string | null,
): Promise<void> {
  await tx.query(
    'update licensed_client set token_hash = $2, reactivation_until = null where row_id = $1',
    [id, tokenHash],
  );
}

export async function setCodeHash(tx: Queryable, id: number, codeHash: string): Promise<void> {
  await tx.query('update licensed_client set code_hash = $2 where row_id = $1', [id, codeHash]);
}

export async function allowReactivation(tx: Queryable, id: number, until: number): Promise<void> {
  await tx.query('update licensed_client set reactivation_until = $2 where row_id = $1', [
    id,
    until,
  ]);
}

/** Clients whose codes an earlier version stored in plain text: their row holds the code itself. */
export async function clientsWithPlainCode(database: Queryable): Promise<readonly number[]> {
  const rows = await queryRows(
    database,
    IdRow,
    'select row_id as id from licensed_client where code_hash is null order by row_id',
  );
  return rows.map(({ id }) => id);
}

/** Whether the client's code is sealed. Call with the client locked. */
export async function hasSealedCode(tx: Queryable, id: number): Promise<boolean> {
  const { rows } = await tx.query(
    'select 1 from licensed_client where row_id = $1 and code_hash is not null',
    [id],
  );
  return rows.length > 0;
}

async function write(
  tx: Queryable,
  key: string,
  content: ClientContent,
  now: number,
): Promise<number | null> {
  const {
    clientName,
    licenseType,
    licenseExpiry,
    sealedCode,
    repoUpdatedOn,
    latestKbRequestOn,
    ...others
  } = content;
  const { registeredOn, applicationVersion, families, ...facts } = others;
  const row = {
    clientName,
    licenseType,
    licenseExpiry,
    activationCode: sealedCode,
    repoUpdatedOn,
    latestKbRequestOn,
    registeredOn,
    applicationVersion,
  } satisfies ClientRow;
  const detail = {
    ...facts,
    families: [...families],
    familyNames: families.map((family) => sourceLabels[family]),
  };
  const entry = { key, row, detail, contentHash: contentHash(row, detail) };
  const [change] = await writeEntries(tx, list, 'registry', [entry], now);
  return change?.rowId ?? null;
}

function oneOf(rows: readonly FoundClient[]): StoredClient | null {
  const [row] = rows;
  return row === undefined ? null : keptClient(row);
}

function keptClient(row: FoundClient): StoredClient {
  const detail = row.detail ?? {};
  return {
    id: row.id,
    key: row.natural_key,
    createdOn: row.created_time,
    clientName: row.client_name ?? '',
    licenseType: row.license_type ?? 'trial',
    licenseExpiry: row.license_expiry,
    sealedCode: row.activation_code ?? '',
    repoUpdatedOn: row.repo_updated_on,
    latestKbRequestOn: row.latest_kb_request_on,
    registeredOn: row.registered_on,
    applicationVersion: row.application_version ?? '',
    deploymentMode: detail.deploymentMode ?? 'standalone',
    environment: detail.environment ?? 'production',
    families: detail.families ?? [],
    technicianLicence: detail.technicianLicence ?? 'named',
    technicians: detail.technicians ?? 0,
    itAssets: detail.itAssets ?? 0,
    nonItAssets: detail.nonItAssets ?? 0,
    endPoints: detail.endPoints ?? 0,
    contactEmail: detail.contactEmail ?? '',
    notes: detail.notes ?? '',
    hostName: detail.hostName ?? '',
    revokedOn: detail.revokedOn ?? null,
    revokedBy: detail.revokedBy ?? '',
    hasToken: row.has_token,
    reactivationUntil: row.reactivation_until,
  };
}
