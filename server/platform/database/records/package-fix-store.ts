/**
 * Stores the fixes of records in the transaction that writes the records. Writers run one after another, since each has raised or
 * locked the revision of the index of records. See docs/decisions/055.
 */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { catalogueLists } from '@patch/catalogue/lists.ts';
import type {
  FixSeries,
  IndexedFix,
  ReleaseFixes,
} from '@patch/catalogue/machines/judgement/indexed-fixes.ts';
import { z } from 'zod';
import { arrayText, arrayTexts, textArray } from '../array-text.ts';
import type { Queryable } from '../database.ts';
import { queryRows, queryValues } from '../query-rows.ts';
import { withoutNul } from '../rows/stored-row.ts';

export interface FixingRecord {
  /** Id in the index of records. */
  readonly id: number;
  /** True for a new record, which has no rows yet. */
  readonly isNew: boolean;
  /** Empty for a withdrawn record. */
  readonly fixes: readonly ReleaseFixes[];
}

/** Returns true if records of the list state their packages. */
export const statesPackages = ({ detail }: ListDefinition): boolean =>
  detail.packages !== undefined || Object.hasOwn(detail.tables, 'releasePackages');

/** Lists whose records state their packages. */
export const packageLists = catalogueLists.filter(statesPackages);

/** Replaces the stored fixes of these records with their current ones. Equal rows stay unchanged. */
export async function writeFixes(
  tx: Queryable,
  list: ListDefinition,
  records: readonly FixingRecord[],
): Promise<void> {
  if (!statesPackages(list) || records.length === 0) return;
  const fixes = records.flatMap(({ id, fixes: ofRecord }) =>
    ofRecord.flatMap(({ release, fixes: own }) =>
      own.map((entry, position) => ({ recordId: id, position, release, entry })),
    ),
  );
  const known = records.flatMap(({ id, isNew }) => (isNew ? [] : [id]));
  if (fixes.length === 0) return removeFixes(tx, known);
  const releases = await readReleaseIds(tx, list, fixes);
  const releaseFixes = fixes.map((fix) => ({ ...fix, releaseId: releases.get(fix.release) ?? 0 }));
  const series = await readSeriesIds(tx, releaseFixes);
  const variants = await readVariantIds(tx, fixes);
  await writeRows(
    tx,
    releaseFixes.map(
      ({ recordId, position, releaseId, entry }): FixRow => ({
        recordId,
        seriesId: series.get(seriesKey(releaseId, entry.series)) ?? 0,
        variantId: variants.get(variantKey(toVariant(entry))) ?? 0,
        position,
        version: entry.series.special === null ? withoutNul(entry.fix.version) : '',
        sortKey: withoutNul(entry.sortKey),
        name: entry.fix.name === entry.series.name ? null : withoutNul(entry.fix.name),
      }),
    ),
    known,
  );
}

async function removeFixes(tx: Queryable, recordIds: readonly number[]): Promise<void> {
  if (recordIds.length === 0) return;
  const left = await queryValues(
    tx,
    z.number(),
    'delete from package_fix where record_id = any($1::bigint[]) returning series_id',
    [arrayText(recordIds)],
  );
  await removeEmptySeries(tx, left);
}

/** Removes series and variants without fixes. */
async function removeEmptySeries(tx: Queryable, left: readonly number[]): Promise<void> {
  if (left.length === 0) return;
  await tx.query(
    `with dropped as (delete from fix_series where id = any($1::integer[])
       and not exists (select from package_fix where series_id = fix_series.id) returning id, release_id),
       stale as (delete from fix_series_variant as known where series_id = any($1::integer[])
         and not exists (select from package_fix as fix where fix.series_id = known.series_id and fix.variant_id = known.variant_id)
         returning series_id),
       changed as (select release_id from dropped
         union select release_id from fix_series where id in (select series_id from stale))
     ${stampReleases('changed')}`,
    [arrayText([...new Set(left)])],
  );
}

/** Raises the stamps of the releases in these rows, above every earlier stamp, including those of a restored dump. */
const stampReleases = (rows: string) =>
  `update fix_release set series_stamp = greatest(series_stamp + 1, (extract(epoch from clock_timestamp()) * 1000000)::bigint)
   where id in (select release_id from ${rows})`;

interface WrittenFix {
  readonly release: string;
  readonly entry: IndexedFix;
}

const ReleaseRow = z.object({ id: z.number(), release: z.string() });

async function readReleaseIds(
  tx: Queryable,
  list: ListDefinition,
  fixes: readonly WrittenFix[],
): Promise<ReadonlyMap<string, number>> {
  const names = [...new Set(fixes.map(({ release }) => release))];
  const rows = await queryRows(
    tx,
    ReleaseRow,
    `with known as (select id, release from fix_release where list = $1 and release = any($2::text[])),
       added as (insert into fix_release (list, release) select $1, name from unnest($2::text[]) as name
         where not exists (select from known where release = name) returning id, release)
     select id, release from known union all select id, release from added`,
    [list.key, arrayText(names)],
  );
  return new Map(rows.map(({ id, release }) => [release, id]));
}

const seriesKey = (releaseId: number, { name, by, special, epoch }: FixSeries): string =>
  `${releaseId}\n${withoutNul(name)}\n${by === 'source'}\n${special ?? ''}\n${withoutNul(epoch)}`;

const KeyedRow = z.object({ id: z.number(), key: z.string() });

async function readSeriesIds(
  tx: Queryable,
  fixes: readonly { readonly releaseId: number; readonly entry: IndexedFix }[],
): Promise<ReadonlyMap<string, number>> {
  const wanted = [
    ...new Map(
      fixes.map(({ releaseId, entry: { series } }) => [
        seriesKey(releaseId, series),
        { releaseId, series },
      ]),
    ).values(),
  ];
  const rows = await queryRows(
    tx,
    KeyedRow,
    `with wanted as (select * from unnest($1::integer[], $2::text[], $3::boolean[], $4::text[], $5::text[])
         as wanted(release_id, name, of_source, special, epoch)),
       known as (select series.* from wanted cross join lateral (select * from fix_series
         where release_id = wanted.release_id and name = wanted.name and of_source = wanted.of_source
           and special = wanted.special and epoch = wanted.epoch offset 0) as series),
       added as (insert into fix_series (release_id, name, of_source, special, epoch)
         select * from wanted except select release_id, name, of_source, special, epoch from known returning *),
       stamped as (${stampReleases('added')})
     select id, concat_ws(E'\\n', release_id, name, of_source::text, special, epoch) as key
     from (select * from known union all select * from added) as series`,
    [
      arrayText(wanted.map(({ releaseId }) => releaseId)),
      textArray(wanted.map(({ series }) => withoutNul(series.name))),
      arrayText(wanted.map(({ series }) => series.by === 'source')),
      arrayText(wanted.map(({ series }) => series.special ?? '')),
      arrayText(wanted.map(({ series }) => withoutNul(series.epoch))),
    ],
  );
  return new Map(rows.map(({ id, key }) => [key, id]));
}

interface Variant {
  readonly architecture: string;
  readonly module: string;
  readonly pocket: string;
}

/** Longer words match no machine and would not fit into an index. */
const maxWordLength = 160;

function toVariant({ series, fix: { architecture, module, pocket } }: IndexedFix): Variant {
  const word = (text: string | null) =>
    series.special === null
      ? withoutNul(text ?? '')
          .replaceAll('\n', ' ')
          .slice(0, maxWordLength)
          .toWellFormed()
      : '';
  return { architecture: word(architecture), module: word(module), pocket: word(pocket) };
}

const variantKey = ({ architecture, module, pocket }: Variant): string =>
  `${architecture}\n${module}\n${pocket}`;

async function readVariantIds(
  tx: Queryable,
  fixes: readonly WrittenFix[],
): Promise<ReadonlyMap<string, number>> {
  const variants = fixes.map(({ entry }) => toVariant(entry));
  const wanted = [...new Map(variants.map((fix) => [variantKey(fix), fix])).values()];
  const rows = await queryRows(
    tx,
    KeyedRow,
    `with wanted as (select * from unnest($1::text[], $2::text[], $3::text[]) as wanted(architecture, module, pocket)),
       known as (select fix_variant.* from fix_variant join wanted using (architecture, module, pocket)),
       added as (insert into fix_variant (architecture, module, pocket)
         select * from wanted except select architecture, module, pocket from known returning *)
     select id, concat_ws(E'\\n', architecture, module, pocket) as key
     from (select * from known union all select * from added) as variant`,
    arrayTexts(wanted, 'architecture', 'module', 'pocket'),
  );
  return new Map(rows.map(({ id, key }) => [key, id]));
}

interface FixRow {
  readonly recordId: number;
  readonly seriesId: number;
  readonly variantId: number;
  readonly position: number;
  readonly version: string;
  readonly sortKey: string;
  readonly name: string | null;
}

/** Adds new variants of series, and stamps their releases. */
async function writeVariants(tx: Queryable, rows: readonly FixRow[]): Promise<void> {
  await tx.query(
    `with added as (insert into fix_series_variant (series_id, variant_id)
         select distinct * from unnest($1::integer[], $2::integer[]) on conflict do nothing returning series_id),
       of_release as (select release_id from fix_series where id in (select series_id from added))
     ${stampReleases('of_release')}`,
    arrayTexts(rows, 'seriesId', 'variantId'),
  );
}

const writtenSql = `unnest($1::bigint[], $2::integer[], $3::integer[], $4::integer[], $5::text[], $6::text[], $7::text[])
  as written(record_id, series_id, variant_id, place, version, sort_key, name)`;

const isSame = `fix.record_id = written.record_id and fix.series_id = written.series_id and fix.variant_id = written.variant_id
  and fix.place = written.place and fix.version = written.version and fix.sort_key = written.sort_key and fix.name is not distinct from written.name`;

/** Writes changed rows only: most changes of `known` records, such as a new title, do not affect their fixes. */
async function writeRows(
  tx: Queryable,
  rows: readonly FixRow[],
  known: readonly number[],
): Promise<void> {
  await writeVariants(tx, rows);
  const columns = [
    ...arrayTexts(rows, 'recordId', 'seriesId', 'variantId', 'position'),
    textArray(rows.map(({ version }) => version)),
    textArray(rows.map(({ sortKey }) => sortKey)),
    textArray(rows.map(({ name }) => name)),
  ];
  const insert = `insert into package_fix (record_id, series_id, variant_id, place, version, sort_key, name) select * from ${writtenSql}`;
  if (known.length === 0) {
    await tx.query(insert, columns);
    return;
  }
  const left = await queryValues(
    tx,
    z.number(),
    `delete from package_fix as fix where record_id = any($8::bigint[])
       and not exists (select from ${writtenSql} where ${isSame}) returning series_id`,
    [...columns, arrayText(known)],
  );
  await tx.query(
    `${insert} where not exists (select from package_fix as fix where ${isSame})`,
    columns,
  );
  await removeEmptySeries(tx, left);
}
