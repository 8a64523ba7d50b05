/**
 * What records fix beyond the versions that are installed, read from the fixes that are kept of every record (decision 055): whatever
 * the size of the catalogue, only rows that may be missing are read, and no record.
 */
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
import { type FoundFixes, fixesAbove, type SeriesAbove } from './fix-row-store.ts';
import {
  type FixVocabulary,
  fixVocabulary,
  type NumberedSeries,
  readVocabulary,
} from './fix-vocabulary-store.ts';

export interface NewerRecord {
  readonly list: string;
  readonly recordId: number;
  /** Of its fixes those that may be missing. */
  readonly record: Omit<PackageRecord, 'key'>;
}

export interface NewerFixes {
  /** Lists that name one of the packages. */
  readonly lists: readonly string[];
  /** Packages, sources and stems of kernels that records of the release name, those of the machines alone. */
  readonly known: ReadonlyMap<string, KnownPackage>;
  /** In the order of lists, then of the records. */
  readonly records: readonly NewerRecord[];
}

/** A catalogue whose names change all the time is answered as of a moment ago. */
const maxTurns = 3;

/** Of this release, for all of these machines at once. Rejects with a DatabaseError. */
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
  const bounds = new SeriesBounds(release);
  let vocabulary = await fixVocabulary(database, release);
  for (let turn = 1; ; turn += 1) {
    const { named, asked } = askedOf(vocabulary, byName, bounds);
    const found = await fixesAbove(database, release, asked);
    if (found.stamp === vocabulary.stamp || turn === maxTurns)
      return {
        lists: [...new Set(named.map(({ list }) => list))],
        known: knownPackages(named),
        records: recordsIn(found, new Map(named.map((one) => [one.id, one]))),
      };
    vocabulary = await readVocabulary(database, release);
  }
}

function askedOf(
  { byName: series }: FixVocabulary,
  machines: ReadonlyMap<string, readonly InstalledPackages[]>,
  bounds: SeriesBounds,
) {
  const named: NumberedSeries[] = [];
  const asked: SeriesAbove[] = [];
  for (const [name, own] of machines)
    for (const one of series.get(name) ?? []) {
      named.push(one);
      const above = bounds.newerThan(one, own);
      if (above !== null) asked.push({ id: one.id, above });
    }
  return { named, asked };
}

function recordsIn(
  { rows, places }: FoundFixes,
  series: ReadonlyMap<number, NumberedSeries>,
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
  return places.flatMap(({ id, list, recordId }) => {
    const record = records.get(id);
    return record === undefined ? [] : [{ list, recordId, record }];
  });
}
