/**
 * The series of fixes of a release, held in memory by name: which of a machine's packages are known to the catalogue, and where their
 * fixes are. A stamp says whether they still stand: compare it with the one that the database has (decision 055).
 */
import type { CataloguedRelease } from '@patch/catalogue/machines/judgement/catalogued-release.ts';
import type { FixSeries } from '@patch/catalogue/machines/judgement/kept-fixes.ts';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { arrayText } from '../platform/database/array-text.ts';
import type { Queryable } from '../platform/database/database.ts';
import { queryRows } from '../platform/database/query-rows.ts';

export interface NumberedSeries extends FixSeries {
  readonly id: number;
  readonly list: string;
  /** A line for each variant of its fixes: architecture and module with a space between them, empty where they state none. */
  readonly variants: string;
}

export interface FixVocabulary {
  /** Of all lists that have the release. */
  readonly stamp: string;
  readonly size: number;
  readonly byName: ReadonlyMap<string, readonly NumberedSeries[]>;
}

/** Of all releases of one database together; each takes some 200 bytes. */
const maxSeries = 200_000;

const held = new WeakMap<Queryable, LRUCache<string, FixVocabulary>>();

/** As it was when it was last read; read now where it is not held. */
export async function fixVocabulary(
  database: Queryable,
  release: CataloguedRelease,
): Promise<FixVocabulary> {
  return vocabulariesOf(database).get(keyOf(release)) ?? readVocabulary(database, release);
}

/** As it stands now. Rejects with a DatabaseError. */
export async function readVocabulary(
  database: Queryable,
  release: CataloguedRelease,
): Promise<FixVocabulary> {
  const rows = await queryRows(
    database,
    ReleaseRow,
    `select list, series_stamp::text as stamp, (${seriesSql}) as series ${stampedReleases}`,
    [arrayText(release.names)],
  );
  const byName = new Map<string, NumberedSeries[]>();
  let size = 0;
  for (const row of rows)
    for (const one of seriesIn(row)) {
      const known = byName.get(one.name);
      if (known === undefined) byName.set(one.name, [one]);
      else known.push(one);
      size += 1;
    }
  const vocabulary = { stamp: rows.map(({ stamp }) => stamp).join(' '), size, byName };
  vocabulariesOf(database).set(keyOf(release), vocabulary);
  return vocabulary;
}

const NameRow = z.object({ release: z.string(), name: z.string() });

/** Some names of the release that came last; null where the catalogue has none. */
export async function someNames(
  database: Queryable,
  count: number,
): Promise<{ readonly release: string; readonly names: readonly string[] } | null> {
  const rows = await queryRows(
    database,
    NameRow,
    `select release, name from fix_release cross join lateral (select name from fix_series where release_id = fix_release.id limit $1) as series
     order by fix_release.id desc limit $1`,
    [count],
  );
  const [first] = rows;
  if (first === undefined) return null;
  const own = rows.filter(({ release }) => release === first.release);
  return { release: first.release, names: own.map(({ name }) => name) };
}

/** Of the releases $1, in the order of stamps in one text. */
const stampedReleases = 'from fix_release where release = any($1::text[]) order by id';

/** The stamp of a vocabulary, of the releases of this parameter. */
export const stampSql = (releases: string): string =>
  `coalesce((select string_agg(series_stamp::text, ' ' order by id) from fix_release where release = any(${releases}::text[])), '')`;

const seriesSql = `select json_build_array(json_agg(id), json_agg(name), json_agg(of_source), json_agg(special), json_agg(epoch), json_agg(variants))::text
  from fix_series cross join lateral (select coalesce(string_agg(distinct architecture || ' ' || module, E'\\n'), '') as variants
    from fix_series_variant join fix_variant on fix_variant.id = variant_id where series_id = fix_series.id) as variant
  where release_id = fix_release.id`;

const ReleaseRow = z.object({ list: z.string(), stamp: z.string(), series: z.string() });

/** Thousands of short values: that they are lists is checked, not each of them. */
const Columns = z.tuple([
  z.custom<readonly number[]>(Array.isArray),
  z.custom<readonly string[]>(Array.isArray),
  z.custom<readonly boolean[]>(Array.isArray),
  z.custom<readonly string[]>(Array.isArray),
  z.custom<readonly string[]>(Array.isArray),
  z.custom<readonly string[]>(Array.isArray),
]);

function seriesIn({ list, series }: z.infer<typeof ReleaseRow>): readonly NumberedSeries[] {
  const columns: unknown = JSON.parse(series);
  // A release that was left by all its series.
  if (Array.isArray(columns) && columns[0] === null) return [];
  const [ids, names, ofSource, special, epochs, variants] = Columns.parse(columns);
  return ids.map((id, at) => ({
    id,
    list,
    name: names[at] ?? '',
    by: ofSource[at] === true ? 'source' : 'binary',
    special: specialOf(special[at]),
    epoch: epochs[at] ?? '',
    variants: variants[at] ?? '',
  }));
}

const specialOf = (word: string | undefined): FixSeries['special'] =>
  word === 'retracted' || word === 'livepatch' ? word : null;

const keyOf = ({ names }: CataloguedRelease) => names.join('\n');

function vocabulariesOf(database: Queryable): LRUCache<string, FixVocabulary> {
  const known = held.get(database);
  if (known !== undefined) return known;
  const vocabularies = new LRUCache<string, FixVocabulary>({
    maxSize: maxSeries,
    sizeCalculation: ({ size }) => Math.max(size, 1),
  });
  held.set(database, vocabularies);
  return vocabularies;
}
