/** What was last read of each part of a feed: by which reader version, from which documents. */
import type { Document, Facts } from '@patch/catalogue/definition/feed.ts';
import type { SourceKey } from '@patch/catalogue/sources.ts';
import { z } from 'zod';
import type { Queryable } from '../../platform/database/database.ts';
import { jsonText } from '../../platform/database/json-text.ts';
import { ownJson } from '../../platform/database/plain-rows.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { unsettledOfPart } from './quarantine-store.ts';
import { isSuccess } from './run-store.ts';
import type { StandingRemarks } from './standing-remarks.ts';
import { storedRunMessage } from './stored-run-message.ts';

export interface PartRead {
  /** The reader's version when the part last counted as read. */
  readonly feedVersion: number;
  /** The reader's version when the part was last written to its end, even if some of its changes were quarantined. */
  readonly writtenVersion: number;
  readonly readWholeAt: number | null;
  /** SHA-256 by address. */
  readonly documents: ReadonlyMap<string, string>;
  /** What its contents asked to remember; null when they never did. */
  readonly remembered: Facts | null;
  /** Of the last reading. */
  readonly remarks: StandingRemarks;
  /** Bytes as served, by address. */
  readonly sizes: ReadonlyMap<string, number>;
}

/** As the database holds them: another version may have stored decisions that this one does not know. */
type StoredRemarks = Omit<StandingRemarks, 'decisions'> & {
  readonly decisions: readonly unknown[];
};

function storedRemarks({ decisions, ...remarks }: StoredRemarks): StandingRemarks {
  return { ...remarks, decisions: decisions.map(storedRunMessage) };
}

/** One for each document; a part without any has one, without address and hash. */
const PartReadRow = z.object({
  feedVersion: z.number(),
  writtenVersion: z.number(),
  readWholeAt: z.number().nullable(),
  remarks: ownJson<StoredRemarks>(),
  remembered: z.record(z.string(), z.string()).nullable(),
  url: z.string().nullable(),
  sha256: z.string().nullable(),
  size: z.number().nullable(),
});

/** Null when the part was never read. */
export async function partRead(
  database: Queryable,
  source: SourceKey,
  part: string,
): Promise<PartRead | null> {
  const rows = await queryRows(
    database,
    PartReadRow,
    `select feed_version as "feedVersion", written_version as "writtenVersion", read_whole_time as "readWholeAt",
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
  const { feedVersion, writtenVersion, readWholeAt, remembered } = first;
  const remarks = storedRemarks(first.remarks);
  return { feedVersion, writtenVersion, readWholeAt, remarks, remembered, documents, sizes };
}

const PartTimeRow = z.object({ part: z.string(), readWholeAt: z.number().nullable() });

/** When each part of a source was last read completely, by its key. */
export async function partsReadAt(
  database: Queryable,
  source: SourceKey,
): Promise<ReadonlyMap<string, number | null>> {
  const rows = await queryRows(
    database,
    PartTimeRow,
    'select part, read_whole_time as "readWholeAt" from feed_part where source = $1',
    [source],
  );
  return new Map(rows.map(({ part, readWholeAt }) => [part, readWholeAt]));
}

const UnreadPartRow = z.object({ source: z.string(), part: z.string(), readAt: z.number() });

/**
 * By source the parts that its last successful run did not read, with the time when each was read last: they failed, or are not followed
 * any more. Parts that wait for a decision are written but for what waits. An import reads no part, and so leaves none unread.
 */
export async function partsLeftUnread(
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
       and not exists (${unsettledOfPart('feed_part.source', 'feed_part.part')})`,
  );
  const bySource = Map.groupBy(rows, ({ source }) => source);
  return new Map(
    [...bySource].map(([source, parts]) => [
      source,
      new Map(parts.map(({ part, readAt }) => [part, readAt])),
    ]),
  );
}

/** Everything of the part is written except what is quarantined. A part that never counted as read has no known state. */
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

/** Documents of a partial reading are added to those read before; those of a complete part replace them. */
export async function recordPartRead(
  tx: Queryable,
  source: SourceKey,
  part: string,
  read: {
    readonly feedVersion: number;
    readonly documents: readonly Pick<Document, 'url' | 'sha256' | 'size'>[];
    readonly whole: boolean;
    readonly remarks: StandingRemarks;
    /** Absent: keep what was remembered before. */
    readonly remember: Facts | undefined;
  },
  now: number,
): Promise<void> {
  await tx.query(
    `insert into feed_part as kept (source, part, feed_version, written_version, read_time, read_whole_time, remarks, remembered)
     values ($1, $2, $3, $3, $4, $5, $6::jsonb, $7::jsonb)
     on conflict (source, part) do update set feed_version = excluded.feed_version, written_version = excluded.written_version,
       read_time = excluded.read_time, remarks = excluded.remarks,
       remembered = coalesce(excluded.remembered, kept.remembered),
       read_whole_time = coalesce(excluded.read_whole_time, kept.read_whole_time)`,
    [
      source,
      part,
      read.feedVersion,
      now,
      read.whole ? now : null,
      jsonText(read.remarks),
      read.remember === undefined ? null : jsonText(read.remember),
    ],
  );
  if (read.whole)
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

const DocumentUrlRow = z.object({ url: z.string() });

/** The address of a document that the source was read from, always the same one; null when it was never read. */
export async function oneDocumentUrl(
  database: Queryable,
  source: SourceKey,
): Promise<string | null> {
  const rows = await queryRows(
    database,
    DocumentUrlRow,
    'select min(url) as url from feed_document where source = $1 having min(url) is not null',
    [source],
  );
  return rows[0]?.url ?? null;
}
