/** Database access for licensed clients, and for the warnings about their licences. Their list is a view of this table. */

import { isDeepStrictEqual } from 'node:util';
import { getList } from '@patch/catalogue/lists.ts';
import { sha256Hex } from '@patch/catalogue/parsers/sha256.ts';
import { sourceLabels, type VendorSourceKey } from '@patch/catalogue/sources.ts';
import type { ClientEntry } from '@patch/contract/licensing/licensed-client-endpoints.ts';
import { z } from 'zod';
import { arrayText } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { openWord } from '../../platform/database/plain-rows.ts';
import { raiseRevision } from '../../platform/database/rows/list-revision-store.ts';
import { storedRow, withoutNul } from '../../platform/database/rows/stored-row.ts';
import { query, sql } from '../../platform/database/sql-statement.ts';

const list = getList('floto_user');

const textOrEmpty = z
  .string()
  .nullable()
  .transform((text) => text ?? '');

const ClientRing = z.object({
  id: z.number(),
  /** Revisions by list of its checkpoint. */
  revisions: z.record(z.string(), z.number()),
  /** 0: nothing was ever decided for it. */
  decisionRevision: z.number(),
  /** Whether records may pass, so that changes of lists and risk matter. */
  passesAny: z.boolean(),
});
export type ClientRing = Readonly<z.infer<typeof ClientRing>>;

const StoredClient = z.object({
  id: z.number(),
  key: z.string(),
  createdOn: z.number(),
  clientName: textOrEmpty,
  licenseType: openWord<ClientEntry['licenseType']>()
    .nullable()
    .transform((type) => type ?? 'trial'),
  licenseExpiry: z.number().nullable(),
  /** Sealed with the service's key. */
  sealedCode: textOrEmpty,
  repoUpdatedOn: z.number().nullable(),
  latestKbRequestOn: z.number().nullable(),
  registeredOn: z.number().nullable(),
  applicationVersion: textOrEmpty,
  deploymentMode: openWord<ClientEntry['deploymentMode']>(),
  environment: openWord<ClientEntry['environment']>(),
  families: z.array(openWord<VendorSourceKey>()).readonly(),
  technicianLicence: openWord<ClientEntry['technicianLicence']>(),
  technicians: z.number(),
  itAssets: z.number(),
  nonItAssets: z.number(),
  endPoints: z.number(),
  contactEmail: z.string(),
  notes: z.string(),
  /** Empty until the client has activated. */
  hostName: z.string(),
  revokedOn: z.number().nullable(),
  revokedBy: z.string(),
  reportsMachines: z.boolean(),
  hasToken: z.boolean(),
  /** The end of an allowed re-activation; null: not allowed. */
  reactivationUntil: z.number().nullable(),
  /** Null: in no ring. */
  ring: ClientRing.nullable(),
});
export type StoredClient = Readonly<z.infer<typeof StoredClient>>;

/** All values that are written for a client. */
export type ClientContent = Omit<
  StoredClient,
  'id' | 'key' | 'createdOn' | 'hasToken' | 'reactivationUntil' | 'ring'
>;

const columns = sql.columns(StoredClient, {
  createdOn: 'created_time',
  hasToken: 'token_hash is not null',
  ring: `(select json_build_object('id', ring.id, 'revisions', revisions, 'decisionRevision', decision_revision, 'passesAny', passes_exploited
    or exists (select from ring_decision where ring_decision.ring_id = ring.id and decision = 'approved'))
    from ring join checkpoint on checkpoint.id = checkpoint_id where ring.id = licensed_client.ring_id)`,
});
const selected = sql`select ${columns} from licensed_client`;

export const readClient = (database: Queryable, id: number) =>
  query.row(database, StoredClient)`${selected} where id = ${id}`;

/**
 * Locks the client until the transaction ends. A second statement reads it: a statement that waits
 * for a lock sees other tables as they were before the wait, and writing that back would undo
 * concurrent changes.
 */
export async function lockClient(tx: Queryable, id: number): Promise<StoredClient | null> {
  await query.run(tx)`select 1 from licensed_client where id = ${id} for update`;
  return readClient(tx, id);
}

/** As `lockClient`. */
export async function lockClientByCode(
  tx: Queryable,
  activationCode: string,
): Promise<StoredClient | null> {
  const id = await query.value(tx, z.number())`
    select id from licensed_client where code_hash = ${hashCode(activationCode)} for update`;
  return id === null ? null : readClient(tx, id);
}

/** A plain SHA-256 is enough: a code has 120 random bits, so its hash cannot be reversed by trial. */
export const hashCode = (activationCode: string) => sha256Hex(activationCode);

export const findClientByToken = (database: Queryable, tokenHash: string) =>
  query.row(database, StoredClient)`${selected} where token_hash = ${tokenHash}`;

/** Returns the ids of the clients that were written after this revision of the registry. */
export const findClientsChangedSince = (database: Queryable, revision: number) =>
  query.values(database, z.number())`select id from licensed_client where revision > ${revision}`;

export const readAllClients = (database: Queryable) =>
  query.rows(database, StoredClient)`${selected} order by client_name_folded, id`;

/** Returns the clients whose licence expires after `after` and not after `until`. */
export const findClientsExpiring = (database: Queryable, after: number, until: number) =>
  query.rows(database, StoredClient)`
    ${selected} where license_expiry > ${after} and license_expiry <= ${until} order by license_expiry, id`;

/** Returns the clients that are not revoked, whose licence has ended, and whose end has caused no event yet. */
export const findClientsEnded = (database: Queryable, now: number) =>
  query.rows(database, StoredClient)`
    ${selected} where license_expiry <= ${now} and revoked_on is null and not exists (select from licence_warning
      where client_id = licensed_client.id and licence_warning.license_expiry = licensed_client.license_expiry and days = 0)
    order by license_expiry, id`;

/** Returns false if any process has already sent the warning. A licence with a new expiry date gets new warnings. */
export const noteWarning = (
  tx: Queryable,
  client: Pick<StoredClient, 'id' | 'licenseExpiry'>,
  days: number,
  now: number,
) => query.runOne(tx)`
  insert into licence_warning (client_id, license_expiry, days, warned_time)
  values (${client.id}, ${client.licenseExpiry}, ${days}, ${now}) on conflict do nothing`;

/** Returns the addresses of all administrators who have one. */
export const readAdministratorAddresses = (database: Queryable) =>
  query.values(database, z.string())`
    select email from users where user_type = 'Admin' and email <> '' order by id`;

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
  const times = { createdTime: now, updatedTime: now };
  const written = { key, ...times, revision, codeHash, ...writtenColumns(content) };
  return query.requiredValue(tx, z.number())`
    insert into licensed_client ${sql.values(written)} returning id`;
}

/** Requires that the client is locked. Writes nothing and raises no revision when no value changes. */
export async function changeClient(
  tx: Queryable,
  client: StoredClient,
  to: Partial<ClientContent>,
  now: number,
): Promise<void> {
  const changed = { ...client, ...to };
  if (isDeepStrictEqual(changed, client)) return;
  const revision = await raiseRevision(tx, list, 0);
  const written = { updatedTime: now, revision, ...writtenColumns(changed) };
  await query.run(
    tx,
  )`update licensed_client set ${sql.assignments(written)} where id = ${client.id}`;
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
  await query.run(tx)`
    update licensed_client set token_hash = ${tokenHash}, reactivation_until = null, revision = ${revision} where id = ${id}`;
}

export const setCodeHash = (tx: Queryable, id: number, codeHash: string) =>
  query.run(tx)`update licensed_client set code_hash = ${codeHash} where id = ${id}`;

export const allowReactivation = (tx: Queryable, id: number, until: number) =>
  query.run(tx)`update licensed_client set reactivation_until = ${until} where id = ${id}`;

/** Returns the columns for the content, including those that searches compare. */
function writtenColumns(content: ClientContent) {
  const { deploymentMode, environment, families, technicianLicence, technicians } = content;
  const { itAssets, nonItAssets, endPoints, revokedOn, reportsMachines } = content;
  const {
    activation_code: sealedCode = null,
    activation_code_folded: _unused,
    ...searched
  } = storedRow(list, { ...content, activationCode: content.sealedCode }, {});
  const plain = { sealedCode, deploymentMode, environment, technicianLicence, technicians };
  const others = { itAssets, nonItAssets, endPoints, revokedOn, reportsMachines };
  return {
    ...searched,
    ...plain,
    ...others,
    families: arrayText(families),
    familyNames: arrayText(families.map((family) => sourceLabels[family])),
    contactEmail: withoutNul(content.contactEmail),
    notes: withoutNul(content.notes),
    hostName: withoutNul(content.hostName),
    revokedBy: withoutNul(content.revokedBy),
  };
}
