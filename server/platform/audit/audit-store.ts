/** Stores the audit log: appends entries, and removes the oldest after the retention time. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import type { AuditFilter } from '@patch/contract/operations/audit-endpoints.ts';
import { z } from 'zod';
import type { Database, Queryable, Session } from '../database/database.ts';
import { query, sql } from '../database/sql-statement.ts';
import { type AuditKey, auditHash, WrittenEntry } from './audit-hash.ts';

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

const storedNames = {
  before: 'before_json',
  after: 'after_json',
  parameters: 'parameters_json',
  keyId: "coalesce(key_id, '')",
  actorFolded: 'who_folded',
};
const selectEntries = sql`select ${sql.columns(ChainedEntry, storedNames)} from audit_entry`;

/** Appends the entries in their order. */
export function addEntries(
  database: Database,
  key: AuditKey,
  entries: readonly NewEntry[],
): Promise<readonly ChainedEntry[]> {
  return database.transaction((tx) => appendEntries(tx, key, entries));
}

/** Appends the entries in the transaction of their action. Other processes wait for the lock on the chain until it ends. */
export async function appendEntries(
  tx: Session,
  key: AuditKey,
  entries: readonly NewEntry[],
): Promise<readonly ChainedEntry[]> {
  let { lastId, lastHash } = await auditChain(tx, sql`for update`);
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
  await query.run(tx)`update audit_chain set last_id = ${lastId}, last_hash = ${lastHash}`;
  return added;
}

function insert(tx: Session, entry: ChainedEntry): Promise<number> {
  const { before, after, parameters, ...others } = entry;
  const json = { beforeJson: before, afterJson: after, parametersJson: parameters };
  const folded = { whoFolded: actorFolded(entry), subjectFolded: fold(entry.subject) };
  return query.run(tx)`insert into audit_entry ${sql.values({ ...others, ...json, ...folded })}`;
}

/** Returns the text that the filter by user searches. The hash need not cover it: it follows from hashed fields. */
export const actorFolded = ({
  userName,
  keyName,
  clientName,
}: Pick<WrittenEntry, 'userName' | 'keyName' | 'clientName'>) =>
  fold([userName, keyName, clientName].filter((name) => name !== null).join('\n'));

export async function auditChain(database: Queryable, lock = sql``): Promise<AuditChain> {
  const chain = await query.row(database, AuditChain)`
    select ${sql.columns(AuditChain)} from audit_chain ${lock}`;
  if (chain === null)
    throw new Error('The audit log has lost its chain: the row of audit_chain is missing');
  return chain;
}

/** Returns the entries with an id below `olderThan`, newest first. */
export const entriesPage = (
  database: Queryable,
  filter: AuditFilter,
  olderThan: number | null,
  size: number,
) => query.rows(database, ChainedEntry)`
  ${selectEntries} where ${matches(filter, olderThan)} order by id desc limit ${size}`;

export const countEntries = (database: Queryable, filter: AuditFilter) =>
  query.requiredValue(database, z.number())`
    select count(*) from audit_entry where ${matches(filter, null)}`;

function matches(
  { user, subject, action, outcome, requestId, from, to }: AuditFilter,
  olderThan: number | null,
) {
  return sql.join(
    [
      sql`true`,
      ...(olderThan === null ? [] : [sql`id < ${olderThan}`]),
      ...(from === undefined ? [] : [sql`time >= ${from}`]),
      ...(to === undefined ? [] : [sql`time < ${to}`]),
      ...(action === undefined ? [] : [sql`action = ${action}`]),
      ...(outcome === undefined ? [] : [sql`outcome = ${outcome}`]),
      ...(requestId === undefined ? [] : [sql`request_id = ${requestId}`]),
      ...(user === undefined ? [] : [sql`position(${fold(user)} in who_folded) > 0`]),
      ...(subject === undefined ? [] : [sql`position(${fold(subject)} in subject_folded) > 0`]),
    ],
    ' and ',
  );
}

export const StoredEntry = ChainedEntry.extend({
  actorFolded: z.string(),
  subjectFolded: z.string(),
});
export type StoredEntry = z.infer<typeof StoredEntry>;

/** Returns the entries with an id above `newerThan`, oldest first, as stored. */
export const entriesAfter = (database: Queryable, newerThan: number, size: number) =>
  query.rows(database, StoredEntry)`
    select ${sql.columns(StoredEntry, storedNames)} from audit_entry where id > ${newerThan} order by id limit ${size}`;

/** Steps through the index from action to action, so that its cost does not grow with the number of entries. */
export const existingActions = (database: Queryable) =>
  query.values(database, z.string())`
    with recursive found as (
      (select action from audit_entry order by action limit 1)
      union all
      select (select e.action from audit_entry e where e.action > found.action order by e.action limit 1) from found where found.action is not null
    ) select action from found where action is not null`;

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
    const removed = await query.row(tx, RemovedRow)`
      select removed as count, last_removed as "lastId" from audit_remove_before(${before})`;
    if (removed === null || removed.count === 0) return 0;
    await appendEntries(tx, key, [toEntry(removed)]);
    return removed.count;
  });
}
