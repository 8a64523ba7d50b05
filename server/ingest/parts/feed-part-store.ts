/** Stores the last reading of each part of a feed: reader version, documents and remarks. */
import type { Document, Facts } from '@patch/catalogue/definition/feed.ts';
import type { SourceKey } from '@patch/catalogue/sources.ts';
import { z } from 'zod';
import type { Queryable } from '../../platform/database/database.ts';
import { jsonText } from '../../platform/database/json-text.ts';
import { ownJson } from '../../platform/database/plain-rows.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { isSuccess } from '../runs/run-store.ts';
import { parseRunMessage } from '../runs/stored-run-message.ts';
import { unsettledPartSql } from './quarantine-store.ts';
import type { StandingRemarks } from './standing-remarks.ts';

export interface PartState {
  /** Version of the reader when the part last counted as read; 0 when something was written since. */
  readonly feedVersion: number;
  /** Version of the reader when the part was last written completely, even if some of its changes were quarantined. */
  readonly writtenVersion: number;
  readonly completelyReadAt: number | null;
  /** SHA-256 of each document, by address. */
  readonly documents: ReadonlyMap<string, string>;
  /** Facts that the feed stores between readings, or null. */
  readonly remembered: Facts | null;
  /** Remarks of the last reading. */
  readonly remarks: StandingRemarks;
  /** Size of each document in bytes as served, by address. */
  readonly sizes: ReadonlyMap<string, number>;
}

/** Stored remarks. Another version may have stored decisions that this version does not know. */
type StoredRemarks = Omit<StandingRemarks, 'decisions'> & {
  readonly decisions: readonly unknown[];
};

function parseRemarks({ decisions, ...remarks }: StoredRemarks): StandingRemarks {
  return { ...remarks, decisions: decisions.map(parseRunMessage) };
}

/** A row for each document. A part without documents has one row without address and hash. */
const PartReadRow = z.object({
  feedVersion: z.number(),
  writtenVersion: z.number(),
  completelyReadAt: z.number().nullable(),
  remarks: ownJson<StoredRemarks>(),
  remembered: z.record(z.string(), z.string()).nullable(),
  url: z.string().nullable(),
  sha256: z.string().nullable(),
  size: z.number().nullable(),
});

/** Returns null when the part was never read. */
export async function readPartState(
  database: Queryable,
  source: SourceKey,
  part: string,
): Promise<PartState | null> {
  const rows = await queryRows(
    database,
    PartReadRow,
    `select feed_version as "feedVersion", written_version as "writtenVersion", read_whole_time as "completelyReadAt",
       remarks, remembered, url, sha256, size
     from feed_part left join feed_document using (source, part) where source = $1 and part = $2`,
    [source, part],
  );
  const first = rows[0];
  if (first === undefined) return null;
  const documents = new Map(
    rows.flatMap(({ url, sha256 }) => (url === null || sha256 === null ? [] : [[url, sha256]])),
  );
  const sizes = new Map(
    rows.flatMap(({ url, size }) => (url === null || size === null ? [] : [[url, size]])),
  );
  const { feedVersion, writtenVersion, completelyReadAt, remembered } = first;
  const remarks = parseRemarks(first.remarks);
  return { feedVersion, writtenVersion, completelyReadAt, remarks, remembered, documents, sizes };
}

const PartTimeRow = z.object({ part: z.string(), completelyReadAt: z.number().nullable() });

/** Returns the time of the last complete reading of each part of a source, by its key. */
export async function readPartTimes(
  database: Queryable,
  source: SourceKey,
): Promise<ReadonlyMap<string, number | null>> {
  const rows = await queryRows(
    database,
    PartTimeRow,
    'select part, read_whole_time as "completelyReadAt" from feed_part where source = $1',
    [source],
  );
  return new Map(rows.map(({ part, completelyReadAt }) => [part, completelyReadAt]));
}

const UnreadPartRow = z.object({ source: z.string(), part: z.string(), readAt: z.number() });

/**
 * Returns the parts that the last successful run of each source did not read, with the time of their last reading: they failed, or are
 * not followed any more. Omits parts with quarantined changes, which are written otherwise, and imports, which read no parts.
 */
export async function readUnreadParts(
  database: Queryable,
): Promise<ReadonlyMap<string, ReadonlyMap<string, number>>> {
  const rows = await queryRows(
    database,
    UnreadPartRow,
    `with last_run as (
       select distinct on (source) source, started_time from sync_run where ${isSuccess} order by source, ended_time desc
     ), last_sync as (
       select * from last_run where exists (select from feed_part where feed_part.source = last_run.source and read_time >= started_time)
     )
     select source, part, read_time as "readAt" from feed_part join last_sync using (source) where read_time < started_time
       and not exists (${unsettledPartSql('feed_part.source', 'feed_part.part')})`,
  );
  const bySource = Map.groupBy(rows, ({ source }) => source);
  return new Map(
    [...bySource].map(([source, parts]) => [
      source,
      new Map(parts.map(({ part, readAt }) => [part, readAt])),
    ]),
  );
}

/**
 * Lets the next sync read what it does not find as the last reading left it: a part whose writing begins, which can break off, and the
 * parts of a source that a bundle replaces.
 * @param part - Null: all parts.
 */
export const markUnread = (database: Queryable, source: SourceKey, part: string | null) =>
  database.query(
    'update feed_part set feed_version = 0 where source = $1 and ($2::text is null or part = $2)',
    [source, part],
  );

/** Records that the part is written, except for quarantined changes. Does nothing for a part that never counted as read. */
export async function recordPartWritten(
  database: Queryable,
  source: SourceKey,
  part: string,
  feedVersion: number,
): Promise<void> {
  await database.query(
    'update feed_part set written_version = $3 where source = $1 and part = $2',
    [source, part, feedVersion],
  );
}

/** Records a reading. Documents of a partial reading are added to the former ones, those of a complete reading replace them. */
export async function recordPartRead(
  tx: Queryable,
  source: SourceKey,
  part: string,
  read: {
    readonly feedVersion: number;
    readonly documents: readonly Pick<Document, 'url' | 'sha256' | 'size'>[];
    readonly isComplete: boolean;
    readonly remarks: StandingRemarks;
    /** Undefined to leave the remembered facts unchanged. */
    readonly remember: Facts | undefined;
  },
  now: number,
): Promise<void> {
  await tx.query(
    `insert into feed_part as stored (source, part, feed_version, written_version, read_time, read_whole_time, remarks, remembered)
     values ($1, $2, $3, $3, $4, $5, $6::jsonb, $7::jsonb)
     on conflict (source, part) do update set feed_version = excluded.feed_version, written_version = excluded.written_version,
       read_time = excluded.read_time, remarks = excluded.remarks,
       remembered = coalesce(excluded.remembered, stored.remembered),
       read_whole_time = coalesce(excluded.read_whole_time, stored.read_whole_time)`,
    [
      source,
      part,
      read.feedVersion,
      now,
      read.isComplete ? now : null,
      jsonText(read.remarks),
      read.remember === undefined ? null : jsonText(read.remember),
    ],
  );
  if (read.isComplete)
    await tx.query('delete from feed_document where source = $1 and part = $2', [source, part]);
  const documents = [
    ...new Map(
      read.documents.map(({ url, sha256, size }) => [url, { url, sha256, size }]),
    ).values(),
  ];
  await tx.query(
    `insert into feed_document (source, part, url, sha256, size)
     select $1, $2, url, sha256, size from jsonb_to_recordset($3::jsonb) as document(url text, sha256 text, size bigint)
     on conflict (source, part, url) do update set sha256 = excluded.sha256, size = excluded.size`,
    [source, part, JSON.stringify(documents)],
  );
}
