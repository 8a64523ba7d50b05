/** Stores what vendors say of vulnerabilities in source packages that no version fixes. */
import {
  affectedWords,
  goneWord,
  type PackageStatus,
  type StatusWord,
} from '@patch/catalogue/definition/package-status.ts';
import { z } from 'zod';
import { arrayText } from '../array-text.ts';
import { lockVulnerabilities, markStale, onlyRecords } from '../cves/cve-row-store.ts';
import type { Database, Queryable } from '../database.ts';
import { queryRows } from '../query-rows.ts';

const StatusRow = z.object({
  release: z.string(),
  package: z.string(),
  cve: z.string(),
  word: z.string(),
});

/** Batch size; a cancelled run ends after the current batch. */
const batchSize = 5_000;

/** Collects the statuses of one reading. */
export class PackageStatuses {
  readonly #words = new Map<string, StatusWord>();

  add(status: PackageStatus): void {
    this.#words.set(toKey(status), status.word);
  }

  /** By release, package and CVE, a line each. */
  words(): ReadonlyMap<string, StatusWord> {
    return this.#words;
  }
}

const toKey = (status: Pick<PackageStatus, 'release' | 'package' | 'cve'>) =>
  `${status.release}\n${status.package}\n${status.cve}`;

export interface FeedPartName {
  readonly source: string;
  readonly part: string;
}

/** Replaces the statuses of a part. Writes changed ones only, so that their time is that of their last change. */
export async function writeStatuses(
  database: Database,
  { source, part }: FeedPartName,
  statuses: PackageStatuses,
  signal: AbortSignal,
  now = Date.now(),
): Promise<void> {
  for (const batch of inBatches(await findChanged(database, { source, part }, statuses))) {
    signal.throwIfAborted();
    await database.transaction((tx) => writeBatch(tx, { source, part }, batch, now));
  }
}

/** Replaces the statuses of parts of a source in the caller's transaction. */
export async function replaceStatuses(
  tx: Queryable,
  source: string,
  byPart: ReadonlyMap<string, PackageStatuses>,
  now: number,
): Promise<void> {
  for (const [part, statuses] of byPart)
    for (const batch of inBatches(await findChanged(tx, { source, part }, statuses)))
      await writeBatch(tx, { source, part }, batch, now);
}

function inBatches(changed: Changed): readonly Changed[] {
  const count = Math.ceil(changed.length / batchSize);
  return Array.from({ length: count }, (_, n) => changed.slice(n * batchSize, (n + 1) * batchSize));
}

type Changed = readonly (readonly [key: string, word: string])[];

async function findChanged(
  database: Queryable,
  { source, part }: FeedPartName,
  statuses: PackageStatuses,
): Promise<Changed> {
  const words = statuses.words();
  const before = await queryRows(
    database,
    StatusRow,
    'select release, package, cve, word from package_status where source = $1 and part = $2',
    [source, part],
  );
  const known = new Map(before.map((row) => [toKey(row), row.word]));
  return [
    ...[...words].filter(([key, word]) => known.get(key) !== word),
    ...[...known].flatMap(([key, word]): [string, string][] =>
      words.has(key) || word === goneWord ? [] : [[key, goneWord]],
    ),
  ];
}

async function writeBatch(
  tx: Queryable,
  { source, part }: FeedPartName,
  batch: Changed,
  now: number,
): Promise<void> {
  const [releases, packages, cves, words] = toColumns(batch);
  await tx.query(
    `insert into package_status (source, part, release, package, cve, word, created_time, changed_time)
       select $1, $2, release, package, cve, word, $7, $7
       from unnest($3::text[], $4::text[], $5::text[], $6::text[]) as changed (release, package, cve, word)
       on conflict (release, package, cve, source, part)
       do update set word = excluded.word, changed_time = excluded.changed_time`,
    [
      source,
      part,
      ...[releases, packages, cves, words].map((column) => arrayText(column ?? [])),
      now,
    ],
  );
  // The vendor may be the only one that mentions the CVE.
  await lockVulnerabilities(tx);
  await markStale(
    tx,
    (cves ?? []).map((cve) => cve.toLowerCase()),
    onlyRecords,
  );
}

function toColumns(batch: Changed): string[][] {
  const rows = batch.map(([key, word]) => [...key.split('\n'), word]);
  return [0, 1, 2, 3].map((index) => rows.map((row) => row[index] ?? ''));
}

const UnfixedRow = z.object({ cve: z.string(), package: z.string() });

/** Returns the vulnerabilities without a fix of these releases and source packages, once each, sorted by package and CVE. */
export function readUnfixed(
  database: Queryable,
  {
    releases,
    packages,
  }: { readonly releases: readonly string[]; readonly packages: readonly string[] },
): Promise<readonly { readonly cve: string; readonly package: string }[]> {
  if (packages.length === 0) return Promise.resolve([]);
  return queryRows(
    database,
    UnfixedRow,
    `select distinct package, cve from package_status
     where release = any($1::text[]) and package = any($2::text[]) and word = any($3::text[])
     order by package, cve`,
    [arrayText(releases), arrayText(packages), arrayText(affectedWords)],
  );
}

const UnfixedOfCve = z.object({ source: z.string(), release: z.string(), packages: z.string() });

/** Returns by source the releases in which the CVE (folded) has no fix by the vendor's words, with the source packages of each. */
export async function readUnfixedOfCve(
  database: Queryable,
  cve: string,
): Promise<ReadonlyMap<string, ReadonlyMap<string, string>>> {
  const rows = await queryRows(
    database,
    UnfixedOfCve,
    `select source, release, string_agg(distinct package, ', ' order by package) as packages from package_status
     where cve = $1 and word = any($2::text[]) group by source, release order by source, release`,
    [cve.toUpperCase(), arrayText(affectedWords)],
  );
  const bySource = [...Map.groupBy(rows, ({ source }) => source)];
  return new Map(
    bySource.map(([source, own]) => [
      source,
      new Map(own.map(({ release, packages }) => [release, packages])),
    ]),
  );
}
