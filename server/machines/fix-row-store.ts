/** Reads the fixes of series above a version, with their variants and records, in one statement. */
import type { CataloguedRelease } from '@patch/catalogue/machines/judgement/catalogued-release.ts';
import type { PackageFix } from '@patch/catalogue/machines/judgement/machine-fixes.ts';
import { z } from 'zod';
import { arrayText } from '../platform/database/array-text.ts';
import type { Queryable } from '../platform/database/database.ts';
import { packageLists } from '../platform/database/package-fix-store.ts';
import { queryRows } from '../platform/database/query-rows.ts';
import { stampSql } from './fix-vocabulary-store.ts';

export interface SeriesAbove {
  readonly id: number;
  /** Sort key of the version. */
  readonly above: string;
}

type Variant = Pick<PackageFix, 'architecture' | 'module' | 'pocket'>;

interface FixRow {
  /** Id in the index of records. */
  readonly record: number;
  readonly series: number;
  readonly version: string;
  /** Name of the package; null if it is that of the series. */
  readonly name: string | null;
  readonly variant: Variant;
}

interface IndexedPlace {
  readonly id: number;
  readonly list: string;
  readonly recordId: number;
}

export interface FoundFixes {
  /** Stamp of the release's vocabulary when the fixes were read. */
  readonly stamp: string;
  /** Fixes in the order of a record's packages. */
  readonly rows: readonly FixRow[];
  /** The records in the order of lists, then of ids. */
  readonly records: readonly IndexedPlace[];
}

/**
 * The statement returns arrays as text, and texts as JSON within a text: thousands of short rows in one value are faster to read than
 * single rows, and threads pass a text on without parsing it. An empty text becomes an empty array.
 */
const foundSql = `with found as materialized (select fix.*
    from unnest($2::integer[], string_to_array($3, ' ')) as given(series, above)
    cross join lateral (select record_id as record, given.series, variant_id as variant, place, version, name
      from package_fix where series_id = given.series and sort_key > coalesce(given.above, '') offset 0) as fix)
  select ${stampSql('$1')} as stamp,
    (select json_build_array(array_agg(record)::text, array_agg(series)::text, array_agg(variant)::text, array_agg(place)::text,
      json_agg(version), json_agg(name))::text from found) as rows,
    (select json_agg(json_build_array(id, architecture, module, pocket)) from fix_variant
      where id in (select variant from found)) as variants,
    (select json_agg(json_build_array(indexed.id, indexed.list, indexed.record_id))::text
      from (select distinct record from found) as fixing
      cross join lateral (select id, list, record_id from record where record.id = fixing.record offset 0) as indexed) as records`;

const FoundRow = z.object({
  stamp: z.string(),
  rows: z.string(),
  variants: z.array(z.tuple([z.number(), z.string(), z.string(), z.string()])).nullable(),
  records: z.string().nullable(),
});

/** Checks that the columns are arrays, but not each of their values. */
const Columns = z.tuple([
  z.string(),
  z.string(),
  z.string(),
  z.string(),
  z.custom<readonly string[]>(Array.isArray),
  z.custom<readonly (string | null)[]>(Array.isArray),
]);
const Places = z.array(z.tuple([z.number(), z.string(), z.number()]));

/**
 * Reads the fixes above the given versions. Omits records that have left the index meanwhile.
 * @throws DatabaseError
 */
export async function fixesAbove(
  database: Queryable,
  release: CataloguedRelease,
  asked: readonly SeriesAbove[],
): Promise<FoundFixes> {
  const [found] = await queryRows(database, FoundRow, foundSql, [
    arrayText(release.names),
    arrayText(asked.map(({ id }) => id)),
    asked.map(({ above }) => beforeSpace(above)).join(' '),
  ]);
  if (found === undefined) throw new Error('A statement without a table returned no row');
  const { stamp, records } = found;
  return {
    stamp,
    rows: rowsIn(found),
    records: records === null ? [] : placesIn(records),
  };
}

/** Truncates a key at the first space, since versions of an SBOM can have any text. The shorter key sorts before, and finds more. */
const beforeSpace = (key: string): string => key.split(/[ \0]/, 1)[0] ?? '';

function rowsIn({ rows, variants }: z.infer<typeof FoundRow>): readonly FixRow[] {
  // Null when no fix was found.
  if (variants === null) return [];
  const byId = new Map(variants.map(([id, ...words]) => [id, variantOf(words)]));
  const [recordText, seriesText, variantText, placeText, versions, names] = Columns.parse(
    JSON.parse(rows),
  );
  const [records, series] = [numbersIn(recordText), numbersIn(seriesText)];
  const [variantIds, places] = [numbersIn(variantText), numbersIn(placeText)];
  const order = [...places.keys()].toSorted((a, b) => (places[a] ?? 0) - (places[b] ?? 0));
  return order.flatMap((at) => {
    const variant = byId.get(variantIds[at] ?? 0);
    if (variant === undefined) return [];
    const [record = 0, own = 0, version = ''] = [records[at], series[at], versions[at]];
    return [{ record, series: own, version, name: names[at] ?? null, variant }];
  });
}

/** Parses PostgreSQL's text of an array. */
const numbersIn = (text: string): readonly number[] => text.slice(1, -1).split(',').map(Number);

function variantOf([architecture, module, pocket]: readonly string[]): Variant {
  const word = (text: string | undefined) => (text === undefined || text === '' ? null : text);
  return { architecture: word(architecture), module: word(module), pocket: word(pocket) };
}

const orderOfLists = new Map(packageLists.map(({ key }, at) => [key as string, at]));

function placesIn(text: string): readonly IndexedPlace[] {
  return Places.parse(JSON.parse(text))
    .map(([id, list, recordId]) => ({ id, list, recordId }))
    .toSorted(
      (a, b) =>
        (orderOfLists.get(a.list) ?? 0) - (orderOfLists.get(b.list) ?? 0) ||
        a.recordId - b.recordId,
    );
}
