/**
 * What records fix beyond the versions that are installed, read from the fixes that are kept of every record (decision 055): whatever
 * the size of the catalogue, only rows that may be missing are read, and no record.
 */
import type { CataloguedRelease } from '@patch/catalogue/machines/judgement/catalogued-release.ts';
import type { InstalledPackages } from '@patch/catalogue/machines/judgement/installed-packages.ts';
import type { FixSeries } from '@patch/catalogue/machines/judgement/kept-fixes.ts';
import type {
  PackageFix,
  PackageRecord,
} from '@patch/catalogue/machines/judgement/machine-fixes.ts';
import { newerThan } from '@patch/catalogue/machines/judgement/newer-fixes.ts';
import { z } from 'zod';
import { arrayText } from '../platform/database/array-text.ts';
import type { Queryable } from '../platform/database/database.ts';
import { packageLists } from '../platform/database/package-fix-store.ts';
import { queryRows } from '../platform/database/query-rows.ts';

export interface NewerFixes {
  /** Lists that name one of the packages. */
  readonly lists: readonly string[];
  /** By the number of the record in the index of records: of its fixes those that may be missing. */
  readonly records: ReadonlyMap<number, Omit<PackageRecord, 'key'>>;
}

/** Of this release, for all of these machines at once. */
export async function newerFixes(
  database: Queryable,
  release: CataloguedRelease,
  machines: readonly InstalledPackages[],
): Promise<NewerFixes> {
  const byName = new Map<string, InstalledPackages[]>();
  for (const machine of machines)
    for (const name of new Set(machine.keptNames)) {
      const known = byName.get(name);
      if (known === undefined) byName.set(name, [machine]);
      else known.push(machine);
    }
  const series = await seriesNamed(database, release, [...byName.keys()]);
  const asked = series.flatMap((one) => {
    const above = newerThan(one, release, byName.get(one.name) ?? []);
    return above === null ? [] : [{ ...one, above }];
  });
  const lists = [...new Set(series.map(({ list }) => list))];
  if (asked.length === 0) return { lists, records: new Map() };
  const rows = await rowsAbove(database, asked);
  const variants = await variantsOf(database, rows);
  const byId = new Map(asked.map((one) => [one.id, one]));
  const records = new Map<
    number,
    { fixes: PackageFix[]; retracted: boolean; livepatch: boolean }
  >();
  for (const row of rows) {
    const own = byId.get(row.series);
    const variant = variants.get(row.variant);
    if (own === undefined || variant === undefined) continue;
    const fix = { by: own.by, name: row.name ?? own.name, version: row.version, ...variant };
    const record = records.get(row.record);
    if (record === undefined)
      records.set(row.record, {
        fixes: [fix],
        retracted: own.special === 'retracted',
        livepatch: own.special === 'livepatch',
      });
    else record.fixes.push(fix);
  }
  return { lists, records };
}

interface NumberedSeries extends FixSeries {
  readonly id: number;
  readonly list: string;
}

/** As JSON: thousands of short rows in one value are sooner read than each on its own. */
const SeriesRows = z.object({
  rows: z.array(z.tuple([z.number(), z.number(), z.string(), z.boolean(), z.string(), z.string()])),
});

async function seriesNamed(
  database: Queryable,
  { names }: CataloguedRelease,
  packages: readonly string[],
): Promise<readonly NumberedSeries[]> {
  const [found] = await queryRows(
    database,
    SeriesRows,
    `select coalesce(json_agg(json_build_array(series.id, asked.place, fix_release.list, of_source, special, epoch)), '[]') as rows
     from fix_release cross join unnest($2::text[]) with ordinality as asked(name, place)
     cross join lateral (select * from fix_series where release_id = fix_release.id and name = asked.name offset 0) as series
     where fix_release.release = any($1::text[])`,
    [arrayText(names), arrayText(packages)],
  );
  return (found?.rows ?? []).map(([id, place, list, ofSource, special, epoch]) => ({
    id,
    list,
    name: packages[place - 1] ?? '',
    by: ofSource ? 'source' : 'binary',
    special: special === 'retracted' || special === 'livepatch' ? special : null,
    epoch,
  }));
}

const FixRows = z.object({
  rows: z.array(z.tuple([z.number(), z.number(), z.number(), z.string(), z.string().nullable()])),
});

interface FixRow {
  readonly record: number;
  readonly series: number;
  readonly variant: number;
  readonly version: string;
  readonly name: string | null;
}

/** In the order of the record's packages. */
async function rowsAbove(
  database: Queryable,
  asked: readonly { readonly id: number; readonly above: string }[],
): Promise<readonly FixRow[]> {
  const [found] = await queryRows(
    database,
    FixRows,
    `select coalesce(json_agg(json_build_array(fix.record_id, fix.series_id, fix.variant_id, fix.version, fix.name) order by fix.place), '[]') as rows
     from unnest($1::integer[], $2::text[]) as asked(series_id, above)
     cross join lateral (select * from package_fix where series_id = asked.series_id and sort_key > asked.above offset 0) as fix`,
    [arrayText(asked.map(({ id }) => id)), arrayText(asked.map(({ above }) => above))],
  );
  return (found?.rows ?? []).map(([record, series, variant, version, name]) => ({
    record,
    series,
    variant,
    version,
    name,
  }));
}

const VariantRow = z.object({
  id: z.number(),
  architecture: z.string(),
  module: z.string(),
  pocket: z.string(),
});
type Variant = Pick<PackageFix, 'architecture' | 'module' | 'pocket'>;

async function variantsOf(
  database: Queryable,
  rows: readonly FixRow[],
): Promise<ReadonlyMap<number, Variant>> {
  const ids = [...new Set(rows.map(({ variant }) => variant))];
  const found = await queryRows(
    database,
    VariantRow,
    'select id, architecture, module, pocket from fix_variant where id = any($1::integer[])',
    [arrayText(ids)],
  );
  const word = (text: string) => (text === '' ? null : text);
  return new Map(
    found.map(({ id, architecture, module, pocket }) => [
      id,
      { architecture: word(architecture), module: word(module), pocket: word(pocket) },
    ]),
  );
}

const PlaceRow = z.object({ id: z.number(), list: z.string(), recordId: z.number() });
export type IndexedPlace = z.infer<typeof PlaceRow>;

/** Of records by their numbers in the index, in the order of lists, then of the records. Those that have left it meanwhile are left out. */
export async function placesOf(
  database: Queryable,
  ids: readonly number[],
): Promise<readonly IndexedPlace[]> {
  if (ids.length === 0) return [];
  return queryRows(
    database,
    PlaceRow,
    `select record.id, record.list, record.record_id as "recordId"
     from unnest($1::bigint[]) as asked(id)
     cross join lateral (select id, list, record_id from record where record.id = asked.id offset 0) as record
     order by array_position($2::text[], record.list), record.record_id`,
    [arrayText(ids), arrayText(packageLists.map(({ key }) => key))],
  );
}
