/** Reads the fixes of series above a version, with all that is to be known of them, in one statement. */
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
  /** A sort key. */
  readonly above: string;
}

type Variant = Pick<PackageFix, 'architecture' | 'module' | 'pocket'>;

interface FixRow {
  /** In the index of records. */
  readonly record: number;
  readonly series: number;
  readonly version: string;
  /** Where the series has another one. */
  readonly name: string | null;
  readonly variant: Variant;
}

interface IndexedPlace {
  readonly id: number;
  readonly list: string;
  readonly recordId: number;
}

export interface FoundFixes {
  /** Of the release's vocabulary, at the moment at which the fixes were read. */
  readonly stamp: string;
  /** In the order of a record's packages. */
  readonly rows: readonly FixRow[];
  /** Where the records are, in the order of lists, then of the records. */
  readonly places: readonly IndexedPlace[];
}

/**
 * Arrays come as text, and texts as JSON in a text of their own: thousands of short rows in one value are sooner read than each on its
 * own, and a text passes from thread to thread unread. A text of nothing makes an array of nothing.
 */
const foundSql = `with found as materialized (select fix.*
    from unnest($2::integer[], string_to_array($3, ' ')) as asked(series, above)
    cross join lateral (select record_id as record, asked.series, variant_id as variant, place, version, name
      from package_fix where series_id = asked.series and sort_key > coalesce(asked.above, '') offset 0) as fix)
  select ${stampSql('$1')} as stamp,
    (select json_build_array(array_agg(record)::text, array_agg(series)::text, array_agg(variant)::text, array_agg(place)::text,
      json_agg(version), json_agg(name))::text from found) as rows,
    (select json_agg(json_build_array(id, architecture, module, pocket)) from fix_variant
      where id in (select variant from found)) as variants,
    (select json_agg(json_build_array(place.id, place.list, place.record_id))::text
      from (select distinct record from found) as one
      cross join lateral (select id, list, record_id from record where record.id = one.record offset 0) as place) as places`;

const FoundRow = z.object({
  stamp: z.string(),
  rows: z.string(),
  variants: z.array(z.tuple([z.number(), z.string(), z.string(), z.string()])).nullable(),
  places: z.string().nullable(),
});

/** That they are lists is checked, not each of their values. */
const Columns = z.tuple([
  z.string(),
  z.string(),
  z.string(),
  z.string(),
  z.custom<readonly string[]>(Array.isArray),
  z.custom<readonly (string | null)[]>(Array.isArray),
]);
const Places = z.array(z.tuple([z.number(), z.string(), z.number()]));

/** Rejects with a DatabaseError. Records that have left the index meanwhile have no place. */
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
  const { stamp, places } = found;
  return {
    stamp,
    rows: rowsIn(found),
    places: places === null ? [] : placesIn(places),
  };
}

/** Versions of an SBOM can hold anything. What a key begins with sorts before it, and more is found then. */
const beforeSpace = (key: string): string => key.split(/[ \0]/, 1)[0] ?? '';

function rowsIn({ rows, variants }: z.infer<typeof FoundRow>): readonly FixRow[] {
  // Null where nothing was found.
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

/** Of PostgreSQL's text of an array. */
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
