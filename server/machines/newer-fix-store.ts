/**
 * Finds fixes newer than installed versions among the stored fixes of all records (decision 055). In a catalogue of any size, it reads
 * only rows of fixes that may be missing, and no records.
 */
import { channelOfFix } from '@patch/catalogue/machines/judgement/build-channels.ts';
import type { CataloguedRelease } from '@patch/catalogue/machines/judgement/catalogued-release.ts';
import type { InstalledPackages } from '@patch/catalogue/machines/judgement/installed-packages.ts';
import {
  type KnownPackage,
  knownPackages,
} from '@patch/catalogue/machines/judgement/known-packages.ts';
import type {
  PackageFix,
  PackageRecord,
} from '@patch/catalogue/machines/judgement/machine-fixes.ts';
import { SeriesBounds } from '@patch/catalogue/machines/judgement/newer-fixes.ts';
import type { Queryable } from '../platform/database/database.ts';
import { type FoundFixes, readFixesAbove, type SeriesAbove } from './fix-row-store.ts';
import {
  type FixVocabulary,
  getVocabulary,
  readVocabulary,
  type StoredSeries,
} from './fix-vocabulary-store.ts';

export interface NewerRecord {
  readonly list: string;
  readonly recordId: number;
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
      const byId = new Map(series.map((each) => [each.id, each]));
      const channels = collectChannels(found, { series: byId, bounds: lowerBounds }, release);
      return {
        lists: [...new Set(series.map(({ list }) => list))],
        known: knownPackages(
          series.map((each) => ({ ...each, channels: channels.get(each.id) ?? [] })),
        ),
        records: toRecords(found, byId),
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

/** Returns the channels of the series whose fixes were all read, by the series' id. */
function collectChannels(
  { rows }: FoundFixes,
  {
    series,
    bounds,
  }: {
    readonly series: ReadonlyMap<number, StoredSeries>;
    readonly bounds: readonly SeriesAbove[];
  },
  { family }: CataloguedRelease,
): ReadonlyMap<number, ReadonlySet<string>> {
  const channels = new Map<number, Set<string>>();
  for (const { id, above } of bounds)
    if (above === '' && series.get(id)?.special === null) channels.set(id, new Set());
  for (const { series: id, name, version, variant } of rows) {
    const own = series.get(id);
    if (own === undefined) continue;
    const fix = { by: own.by, name: name ?? own.name, version, ...variant };
    channels.get(id)?.add(channelOfFix(fix, family));
  }
  return channels;
}

function toRecords(
  { rows, records: indexed }: FoundFixes,
  series: ReadonlyMap<number, StoredSeries>,
): readonly NewerRecord[] {
  const records = new Map<
    number,
    { fixes: PackageFix[]; retracted: boolean; livepatch: boolean }
  >();
  for (const { record: id, series: seriesId, name, version, variant } of rows) {
    const own = series.get(seriesId);
    if (own === undefined) continue;
    const fix = { by: own.by, name: name ?? own.name, version, ...variant };
    const record = records.get(id);
    if (record === undefined)
      records.set(id, {
        fixes: [fix],
        retracted: own.special === 'retracted',
        livepatch: own.special === 'livepatch',
      });
    else record.fixes.push(fix);
  }
  return indexed.flatMap(({ id, list, recordId }) => {
    const record = records.get(id);
    return record === undefined ? [] : [{ list, recordId, record }];
  });
}
