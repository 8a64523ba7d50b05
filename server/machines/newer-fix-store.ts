/**
 * Finds fixes newer than installed versions among the stored fixes of all records (decision 055). In a catalogue of any size, it reads
 * only rows of fixes that may be missing, and no records.
 */
import { channelOfFix } from '@patch/catalogue/machines/judgement/build-channels.ts';
import type { CataloguedRelease } from '@patch/catalogue/machines/judgement/catalogued-release.ts';
import type { InstalledPackages } from '@patch/catalogue/machines/judgement/installed-packages.ts';
import {
  type KnownPackage,
  type KnownVariant,
  knownPackages,
} from '@patch/catalogue/machines/judgement/known-packages.ts';
import type {
  PackageFix,
  PackageRecord,
} from '@patch/catalogue/machines/judgement/machine-fixes.ts';
import { SeriesBounds } from '@patch/catalogue/machines/judgement/newer-fixes.ts';
import { z } from 'zod';
import { arrayText, arrayTexts } from '../platform/database/array-text.ts';
import type { Queryable } from '../platform/database/database.ts';
import { queryRows } from '../platform/database/query-rows.ts';
import { packageLists } from '../platform/database/records/package-fix-store.ts';
import {
  type FixVocabulary,
  getVocabulary,
  readVocabulary,
  type StoredSeries,
  stampSql,
} from './fix-vocabulary-store.ts';
import type { RecordReference } from './machine-records-store.ts';

export interface NewerRecord extends RecordReference {
  /** The record with those of its fixes that may be missing. */
  readonly record: Omit<PackageRecord, 'key'>;
}

export interface NewerFixes {
  /** Lists that contain one of the packages. */
  readonly lists: readonly string[];
  /** Packages, sources and kernel stems that both the machines and records of the release have. */
  readonly known: ReadonlyMap<string, KnownPackage>;
  /** Records in the order of lists, then of ids. */
  readonly records: readonly NewerRecord[];
}

/** Maximum attempts: if the vocabulary keeps changing, the result is slightly stale. */
const maxAttempts = 3;

/**
 * Finds the newer fixes of a release for all of these machines at once.
 * @throws DatabaseError
 */
export async function findNewerFixes(
  database: Queryable,
  release: CataloguedRelease,
  machines: readonly InstalledPackages[],
): Promise<NewerFixes> {
  const byName = new Map<string, InstalledPackages[]>();
  for (const machine of machines)
    for (const name of new Set(machine.fixNames)) {
      const known = byName.get(name);
      if (known === undefined) byName.set(name, [machine]);
      else known.push(machine);
    }
  const bounds = new SeriesBounds(release);
  let vocabulary = await getVocabulary(database, release);
  for (let attempt = 1; ; attempt += 1) {
    const { series, bounds: lowerBounds } = findSeries(vocabulary, byName, bounds);
    const found = await readFixesAbove(database, release, lowerBounds);
    if (found.stamp === vocabulary.stamp || attempt === maxAttempts) {
      const fixes = toSeriesFixes(found, series);
      const complete = lowerBounds.flatMap(({ id, above }) => (above === '' ? id : []));
      const channels = collectChannels(fixes, complete, release);
      return {
        lists: [...new Set(series.map(({ list }) => list))],
        known: knownPackages(
          series.map((each) => ({ ...each, channels: channels.get(each.id) ?? [] })),
        ),
        records: toRecords(found, fixes),
      };
    }
    vocabulary = await readVocabulary(database, release);
  }
}

function findSeries(
  { byName }: FixVocabulary,
  machines: ReadonlyMap<string, readonly InstalledPackages[]>,
  seriesBounds: SeriesBounds,
) {
  const series: StoredSeries[] = [];
  const bounds: SeriesAbove[] = [];
  for (const [name, own] of machines)
    for (const each of byName.get(name) ?? []) {
      series.push(each);
      const above = seriesBounds.newerThan(each, own);
      if (above !== null) bounds.push({ id: each.id, above });
    }
  return { series, bounds };
}

/** A fix of a record, with the series that it belongs to. */
interface SeriesFix {
  readonly record: number;
  readonly series: StoredSeries;
  readonly fix: PackageFix;
}

function toSeriesFixes({ rows }: FoundFixes, series: readonly StoredSeries[]): SeriesFix[] {
  const byId = new Map(series.map((each) => [each.id, each]));
  return rows.flatMap(({ record, series: id, name, version, variant }) => {
    const own = byId.get(id);
    if (own === undefined) return [];
    const fix = { by: own.by, name: name ?? own.name, version, ...variant };
    return [{ record, series: own, fix }];
  });
}

/** Returns the channels of the series whose fixes were all read, by the series' id. */
function collectChannels(
  fixes: readonly SeriesFix[],
  complete: readonly number[],
  { family }: CataloguedRelease,
): ReadonlyMap<number, readonly KnownVariant[]> {
  const channels = new Map(complete.map((id) => [id, new Map<string, KnownVariant>()]));
  for (const { series, fix } of fixes) {
    if (series.special !== null) continue;
    const known = { architecture: fix.architecture ?? '', of: channelOfFix(fix, family) };
    channels.get(series.id)?.set(`${known.of} ${known.architecture}`, known);
  }
  return new Map([...channels].map(([id, known]) => [id, [...known.values()]]));
}

function toRecords({ records }: FoundFixes, fixes: readonly SeriesFix[]): readonly NewerRecord[] {
  const byRecord = Map.groupBy(fixes, ({ record }) => record);
  return records.flatMap(({ id, list, recordId }) => {
    const own = byRecord.get(id);
    if (own === undefined) return [];
    const special = own[0]?.series.special;
    const record = {
      fixes: own.map(({ fix }) => fix),
      retracted: special === 'retracted',
      livepatch: special === 'livepatch',
    };
    return [{ list, recordId, record }];
  });
}

interface SeriesAbove {
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

interface IndexedRecord extends RecordReference {
  readonly id: number;
}

interface FoundFixes {
  /** Stamp of the release's vocabulary when the fixes were read. */
  readonly stamp: string;
  /** Fixes in the order of a record's packages. */
  readonly rows: readonly FixRow[];
  /** The records in the order of lists, then of ids. */
  readonly records: readonly IndexedRecord[];
}

/**
 * The statement returns arrays as text, and texts as JSON within a text: thousands of short rows in one value are faster to read than
 * single rows, and threads pass a text on without parsing it. An empty text becomes an empty array.
 */
const fixesSql = `with found as materialized (select fix.*
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
const RecordRows = z.array(z.tuple([z.number(), z.string(), z.number()]));

/**
 * Reads the fixes above the given versions. Omits records that have left the index meanwhile.
 * @throws DatabaseError
 */
async function readFixesAbove(
  database: Queryable,
  release: CataloguedRelease,
  bounds: readonly SeriesAbove[],
): Promise<FoundFixes> {
  const [found] = await queryRows(database, FoundRow, fixesSql, [
    arrayText(release.names),
    ...arrayTexts(bounds, 'id'),
    bounds.map(({ above }) => beforeSpace(above)).join(' '),
  ]);
  if (found === undefined) throw new Error('A statement without a table returned no row');
  const { stamp, records } = found;
  return {
    stamp,
    rows: parseRows(found),
    records: records === null ? [] : parseRecords(records),
  };
}

/** Truncates a key at the first space, since versions of an SBOM can have any text. The shorter key sorts before, and finds more. */
const beforeSpace = (key: string): string => key.split(/[ \0]/, 1)[0] ?? '';

function parseRows({ rows, variants }: z.infer<typeof FoundRow>): readonly FixRow[] {
  // Null when no fix was found.
  if (variants === null) return [];
  const byId = new Map(variants.map(([id, ...words]) => [id, toVariant(words)]));
  const [recordText, seriesText, variantText, positionText, versions, names] = Columns.parse(
    JSON.parse(rows),
  );
  const [records, series] = [parseNumbers(recordText), parseNumbers(seriesText)];
  const [variantIds, positions] = [parseNumbers(variantText), parseNumbers(positionText)];
  const order = [...positions.keys()].toSorted((a, b) => (positions[a] ?? 0) - (positions[b] ?? 0));
  return order.flatMap((index) => {
    const variant = byId.get(variantIds[index] ?? 0);
    if (variant === undefined) return [];
    const [record = 0, own = 0, version = ''] = [records[index], series[index], versions[index]];
    return [{ record, series: own, version, name: names[index] ?? null, variant }];
  });
}

/** Parses PostgreSQL's text of an array. */
const parseNumbers = (text: string): readonly number[] => text.slice(1, -1).split(',').map(Number);

function toVariant([architecture, module, pocket]: readonly string[]): Variant {
  const word = (text: string | undefined) => (text === undefined || text === '' ? null : text);
  return { architecture: word(architecture), module: word(module), pocket: word(pocket) };
}

const orderOfLists = new Map(packageLists.map(({ key }, index) => [key as string, index]));

function parseRecords(text: string): readonly IndexedRecord[] {
  return RecordRows.parse(JSON.parse(text))
    .map(([id, list, recordId]) => ({ id, list, recordId }))
    .toSorted(
      (a, b) =>
        (orderOfLists.get(a.list) ?? 0) - (orderOfLists.get(b.list) ?? 0) ||
        a.recordId - b.recordId,
    );
}
