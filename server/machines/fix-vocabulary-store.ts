/**
 * Caches the series of fixes of a release by name: they show which of a machine's packages the catalogue knows, and identify their
 * fixes. The stamp changes with them: compare it with the stamp in the database (decision 055).
 */
import type { CataloguedRelease } from '@patch/catalogue/machines/judgement/catalogued-release.ts';
import type { FixSeries } from '@patch/catalogue/machines/judgement/indexed-fixes.ts';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { arrayText } from '../platform/database/array-text.ts';
import type { Queryable } from '../platform/database/database.ts';
import { queryRows } from '../platform/database/query-rows.ts';

export interface StoredSeries extends FixSeries {
  readonly id: number;
  readonly list: string;
  /** One line for each variant of its fixes: architecture and module separated by a space, each empty if not stated. */
  readonly variants: string;
}

export interface FixVocabulary {
  /** Stamp of all lists that have the release. */
  readonly stamp: string;
  readonly size: number;
  readonly byName: ReadonlyMap<string, readonly StoredSeries[]>;
}

/** Maximum number of cached series of a database; each takes about 200 bytes. */
const maxSeries = 200_000;

const cache = new WeakMap<Queryable, LRUCache<string, FixVocabulary>>();

/** Returns the cached vocabulary, which may be stale, or reads it. */
export async function getVocabulary(
  database: Queryable,
  release: CataloguedRelease,
): Promise<FixVocabulary> {
  return getVocabularies(database).get(toKey(release)) ?? readVocabulary(database, release);
}

/**
 * Reads the current vocabulary and caches it.
 * @throws DatabaseError
 */
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
  const byName = new Map<string, StoredSeries[]>();
  let size = 0;
  for (const row of rows)
    for (const one of parseSeries(row)) {
      const known = byName.get(one.name);
      if (known === undefined) byName.set(one.name, [one]);
      else known.push(one);
      size += 1;
    }
  const vocabulary = { stamp: rows.map(({ stamp }) => stamp).join(' '), size, byName };
  getVocabularies(database).set(toKey(release), vocabulary);
  return vocabulary;
}

const NameRow = z.object({ release: z.string(), name: z.string() });

/** Returns some names of the newest release; null if the catalogue has none. */
export async function readSomeNames(
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

/** SQL for the releases $1, in the order of the stamps in a vocabulary's stamp. */
const stampedReleases = 'from fix_release where release = any($1::text[]) order by id';

/** Returns SQL for the stamp of a vocabulary. `releases` is the parameter with the releases. */
export const stampSql = (releases: string): string =>
  `coalesce((select string_agg(series_stamp::text, ' ' order by id) from fix_release where release = any(${releases}::text[])), '')`;

const seriesSql = `select json_build_array(json_agg(id), json_agg(name), json_agg(of_source), json_agg(special), json_agg(epoch), json_agg(variants))::text
  from fix_series cross join lateral (select coalesce(string_agg(distinct architecture || ' ' || module, E'\\n'), '') as variants
    from fix_series_variant join fix_variant on fix_variant.id = variant_id where series_id = fix_series.id) as variant
  where release_id = fix_release.id`;

const ReleaseRow = z.object({ list: z.string(), stamp: z.string(), series: z.string() });

/** Checks that the columns are arrays, but not each of their thousands of values. */
const Columns = z.tuple([
  z.custom<readonly number[]>(Array.isArray),
  z.custom<readonly string[]>(Array.isArray),
  z.custom<readonly boolean[]>(Array.isArray),
  z.custom<readonly string[]>(Array.isArray),
  z.custom<readonly string[]>(Array.isArray),
  z.custom<readonly string[]>(Array.isArray),
]);

function parseSeries({ list, series }: z.infer<typeof ReleaseRow>): readonly StoredSeries[] {
  const columns: unknown = JSON.parse(series);
  // A release without series.
  if (Array.isArray(columns) && columns[0] === null) return [];
  const [ids, names, ofSource, special, epochs, variants] = Columns.parse(columns);
  return ids.map((id, at) => ({
    id,
    list,
    name: names[at] ?? '',
    by: ofSource[at] === true ? 'source' : 'binary',
    special: toSpecial(special[at]),
    epoch: epochs[at] ?? '',
    variants: variants[at] ?? '',
  }));
}

const toSpecial = (word: string | undefined): FixSeries['special'] =>
  word === 'retracted' || word === 'livepatch' ? word : null;

const toKey = ({ names }: CataloguedRelease) => names.join('\n');

function getVocabularies(database: Queryable): LRUCache<string, FixVocabulary> {
  const known = cache.get(database);
  if (known !== undefined) return known;
  const vocabularies = new LRUCache<string, FixVocabulary>({
    maxSize: maxSeries,
    sizeCalculation: ({ size }) => Math.max(size, 1),
  });
  cache.set(database, vocabularies);
  return vocabularies;
}
