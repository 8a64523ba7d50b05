/** Stores the audit log: appends entries, and removes the oldest after the retention time. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import type { AuditFilter } from '@patch/contract/audit-endpoints.ts';
import { z } from 'zod';
import type { Database, Queryable, Session } from '../database/database.ts';
import { queryRows } from '../database/query-rows.ts';
import { auditHash, WrittenEntry } from './audit-hash.ts';
import type { AuditKey } from './audit-key.ts';

export type NewEntry = Omit<WrittenEntry, 'id'>;

export const ChainedEntry = WrittenEntry.extend({
  /** Identifies the key of the hash; empty if somebody has removed it. */
  keyId: z.string(),
  previousHash: z.string(),
  hash: z.string(),
});
export type ChainedEntry = z.infer<typeof ChainedEntry>;

/** The ends of the chain: the last entry, and the last removed one. */
export const AuditChain = z.object({
  lastId: z.number(),
  lastHash: z.string(),
  removedId: z.number(),
  removedHash: z.string(),
});
export type AuditChain = z.infer<typeof AuditChain>;

const chainColumns =
  'last_id as "lastId", last_hash as "lastHash", removed_id as "removedId", removed_hash as "removedHash"';
const entryColumns = `id, time, user_id as "userId", user_name as "userName", key_name as "keyName", client_id as "clientId",
  client_name as "clientName", action, subject, before_json as before, after_json as after, parameters_json as parameters, address,
  request_id as "requestId", outcome, code, previous_hash as "previousHash", hash, coalesce(key_id, '') as "keyId"`;

/** Appends the entries in their order. Other processes wait for the lock on the chain meanwhile. */
export function addEntries(
  database: Database,
  key: AuditKey,
  entries: readonly NewEntry[],
): Promise<readonly ChainedEntry[]> {
  return database.transaction((tx) => appendEntries(tx, key, entries));
}

async function appendEntries(
  tx: Session,
  key: AuditKey,
  entries: readonly NewEntry[],
): Promise<readonly ChainedEntry[]> {
  const rows = await queryRows(
    tx,
    AuditChain,
    `select ${chainColumns} from audit_chain for update`,
  );
  let { lastId, lastHash } = requireChain(rows);
  const added: ChainedEntry[] = [];
  for (const entry of entries) {
    lastId += 1;
    const written = { ...entry, id: lastId };
    const chained = {
      ...written,
      keyId: key.id,
      previousHash: lastHash,
      hash: auditHash(key, lastHash, written),
    };
    lastHash = chained.hash;
    await insert(tx, chained);
    added.push(chained);
  }
  await tx.query('update audit_chain set last_id = $1, last_hash = $2', [lastId, lastHash]);
  return added;
}

async function insert(tx: Session, entry: ChainedEntry): Promise<void> {
  await tx.query(
    `insert into audit_entry (id, time, user_id, user_name, key_name, client_id, client_name, who_folded, action, subject, subject_folded,
       before_json, after_json, parameters_json, address, request_id, outcome, code, previous_hash, hash, key_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21)`,
    [
      entry.id,
      entry.time,
      entry.userId,
      entry.userName,
      entry.keyName,
      entry.clientId,
      entry.clientName,
      actorFolded(entry),
      entry.action,
      entry.subject,
      fold(entry.subject),
      entry.before,
      entry.after,
      entry.parameters,
      entry.address,
      entry.requestId,
      entry.outcome,
      entry.code,
      entry.previousHash,
      entry.hash,
      entry.keyId,
    ],
  );
}

/** Returns the text that the filter by user searches. The hash need not cover it: it follows from hashed fields. */
export const actorFolded = ({
  userName,
  keyName,
  clientName,
}: Pick<WrittenEntry, 'userName' | 'keyName' | 'clientName'>) =>
  fold([userName, keyName, clientName].filter((name) => name !== null).join('\n'));

function requireChain(rows: readonly AuditChain[]): AuditChain {
  if (rows[0] === undefined)
    throw new Error('The audit log has lost its chain: the row of audit_chain is missing');
  return rows[0];
}

export async function auditChain(database: Queryable): Promise<AuditChain> {
  return requireChain(
    await queryRows(database, AuditChain, `select ${chainColumns} from audit_chain`),
  );
}

/** Returns the entries with an id below `olderThan`, newest first. */
export async function entriesPage(
  database: Queryable,
  filter: AuditFilter,
  olderThan: number | null,
  size: number,
): Promise<readonly ChainedEntry[]> {
  const { where, values } = filterSql(filter, olderThan);
  return queryRows(
    database,
    ChainedEntry,
    `select ${entryColumns} from audit_entry ${where} order by id desc limit $${values.length + 1}`,
    [...values, size],
  );
}

export async function countEntries(database: Queryable, filter: AuditFilter): Promise<number> {
  const { where, values } = filterSql(filter, null);
  const [row] = await queryRows(
    database,
    z.object({ entries: z.number() }),
    `select count(*) as entries from audit_entry ${where}`,
    values,
  );
  return row?.entries ?? 0;
}

function filterSql(
  { user, subject, action, outcome, requestId, from, to }: AuditFilter,
  olderThan: number | null,
): { readonly where: string; readonly values: readonly unknown[] } {
  const values: unknown[] = [];
  const conditions: string[] = [];
  const addCondition = (condition: (value: string) => string, value: unknown) => {
    if (value === undefined || value === null) return;
    values.push(value);
    conditions.push(condition(`$${values.length}`));
  };
  addCondition((value) => `id < ${value}`, olderThan);
  addCondition((value) => `time >= ${value}`, from);
  addCondition((value) => `time < ${value}`, to);
  addCondition((value) => `action = ${value}`, action);
  addCondition((value) => `outcome = ${value}`, outcome);
  addCondition((value) => `request_id = ${value}`, requestId);
  addCondition(
    (value) => `position(${value} in who_folded) > 0`,
    user === undefined ? undefined : fold(user),
  );
  addCondition(
    (value) => `position(${value} in subject_folded) > 0`,
    subject === undefined ? undefined : fold(subject),
  );
  const where = conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`;
  return { where, values };
}

export const StoredEntry = ChainedEntry.extend({
  actorFolded: z.string(),
  subjectFolded: z.string(),
});
export type StoredEntry = z.infer<typeof StoredEntry>;

/** Returns the entries with an id above `newerThan`, oldest first, as stored. */
export async function entriesAfter(
  database: Queryable,
  newerThan: number,
  size: number,
): Promise<readonly StoredEntry[]> {
  const rows = await queryRows(
    database,
    StoredEntry,
    `select ${entryColumns}, who_folded as "actorFolded", subject_folded as "subjectFolded" from audit_entry where id > $1 order by id limit $2`,
    [newerThan, size],
  );
  return rows;
}

const ActionRow = z.object({ action: z.string() });

/** Steps through the index from action to action, so that its cost does not grow with the number of entries. */
export async function existingActions(database: Queryable): Promise<readonly string[]> {
  const rows = await queryRows(
    database,
    ActionRow,
    `with recursive found as (
       (select action from audit_entry order by action limit 1)
       union all
       select (select e.action from audit_entry e where e.action > found.action order by e.action limit 1) from found where found.action is not null
     ) select action from found where action is not null`,
  );
  return rows.map(({ action }) => action);
}

const RemovedRow = z.object({ count: z.number(), lastId: z.number() });

/**
 * Removes all entries older than `before`, and adds the entry about it in the same transaction.
 * Returns the number of removed entries.
 */
export function removeEntriesBefore(
  database: Database,
  key: AuditKey,
  before: number,
  toEntry: (removed: { readonly count: number; readonly lastId: number }) => NewEntry,
): Promise<number> {
  return database.transaction(async (tx) => {
    const rows = await queryRows(
      tx,
      RemovedRow,
      'select removed as count, last_removed as "lastId" from audit_remove_before($1)',
      [before],
    );
    const [removed] = rows;
    if (removed === undefined || removed.count === 0) return 0;
    await appendEntries(tx, key, [toEntry(removed)]);
    return removed.count;
  });
}
