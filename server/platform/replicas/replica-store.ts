/** Reads identity and position of the primary and its replicas. */

import { getList } from '@patch/catalogue/lists.ts';
import { z } from 'zod';
import type { Queryable } from '../database/database.ts';
import { query, sql } from '../database/sql-statement.ts';

/** Offset in bytes from the beginning of the log. */
export type WalPosition = bigint;

/** Parses a pg_lsn of PostgreSQL: '16/B374D848'. */
export const WalPosition = z
  .string()
  .regex(/^[\dA-F]{1,8}\/[\dA-F]{1,8}$/i)
  .transform((text): WalPosition => {
    const [high = '', low = ''] = text.split('/');
    return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
  });

/** The service's own lists change with every call of a client, so only the primary answers statements about them. */
export const primaryLists: ReadonlySet<string> = new Set(
  (['floto_user', 'machines'] as const).map((key) => getList(key).key),
);

const ChangeRow = z.object({ epoch: z.string(), revisions: z.number(), position: WalPosition });

/** The newest commit to the lists of the catalogue, and a position in the log after it. */
export interface CatalogueChange extends Readonly<z.infer<typeof ChangeRow>> {}

/** The end of the log. On a page without records, PostgreSQL reports the position after the page header, which no replica reaches. */
const endOfLog =
  sql.raw(`(select lsn - (case when (lsn - '0/0') % pg_size_bytes(current_setting('wal_segment_size')) = 40 then 40
    when (lsn - '0/0') % current_setting('wal_block_size')::numeric = 24 then 24 else 0 end)::numeric
  from pg_current_wal_insert_lsn() as lsn)`);

/**
 * Queries the primary. A commit is in the log before the statement's snapshot sees it, and the end of the log is read after the
 * snapshot: the insert position, which may be ahead of the log on disk. Revisions only grow, so that a changed sum shows that one
 * has changed.
 */
export const readNewestChange = (primary: Queryable) =>
  query.requiredRow(primary, ChangeRow)`
    select epoch, (select coalesce(sum(revision), 0)::bigint from list_revision where list <> all(${[...primaryLists]})) as revisions,
      ${endOfLog}::text as position from change_epoch`;

const IdentityRow = z.object({
  /** Identifies the cluster; a replica has that of its primary. */
  system: z.string(),
  /** Identifies the database within the cluster. */
  epoch: z.string(),
  /** The newest migration of its tables. */
  migration: z.string(),
});

/** Values that a replica shares with its primary. */
export type Identity = Readonly<z.infer<typeof IdentityRow>>;

const identityColumns = sql`(select system_identifier::text from pg_control_system()) as system,
  (select epoch from change_epoch) as epoch, (select max(name) from migration) as migration`;

export const readIdentity = (primary: Queryable) =>
  query.requiredRow(primary, IdentityRow)`select ${identityColumns}`;

const ReplicaRow = IdentityRow.extend({
  follows: z.boolean(),
  /** Null when it follows no primary. */
  position: WalPosition.nullable(),
});

/** @throws DatabaseError when the replica does not answer or has other tables. */
export const readReplicaState = (replica: Queryable) =>
  query.requiredRow(replica, ReplicaRow)`
    select pg_is_in_recovery() as follows, pg_last_wal_replay_lsn()::text as position, ${identityColumns}`;
