/** Finds candidates in memory by series and sort keys, as the server does, and for comparison by reading every record. */
import type { Machine } from '../../machine.ts';
import type { CataloguedRelease } from '../catalogued-release.ts';
import { indexFixes } from '../indexed-fixes.ts';
import { InstalledPackages } from '../installed-packages.ts';
import { judgePackages } from '../judge-packages.ts';
import { kernelStem } from '../kernel-stem.ts';
import type { PackageRecord, RecordVerdict } from '../machine-fixes.ts';
import { SeriesBounds } from '../newer-fixes.ts';
import { packageRecord } from '../package-record.ts';
import type { StoredRecord } from '../stored-values.ts';

/** By record key, without records that are not missing. */
export type Found = ReadonlyMap<string, RecordVerdict>;

type Judged = Pick<Machine, 'packages' | 'kernel'>;

export function findByKeys(
  records: readonly StoredRecord[],
  release: CataloguedRelease,
  machine: Judged,
): Found {
  const installed = new InstalledPackages(machine.packages);
  const names = new Set(installed.fixNames);
  const bounds = new SeriesBounds(release);
  const found = records.flatMap((record): PackageRecord[] => {
    const own = indexFixes(record)
      .filter((one) => release.names.includes(one.release))
      .flatMap(({ fixes }) => fixes)
      .filter(({ series, sortKey }) => {
        if (!names.has(series.name)) return false;
        const above = bounds.newerThan(series, [installed]);
        return above !== null && sortKey > above;
      });
    const [first] = own;
    if (first === undefined) return [];
    const { special } = first.series;
    return [
      {
        key: record.key,
        fixes: own.map(({ fix }) => fix),
        retracted: special === 'retracted',
        livepatch: special === 'livepatch',
      },
    ];
  });
  return withoutNotMissing(judgePackages(machine, release, found));
}

export function findByReading(
  records: readonly StoredRecord[],
  release: CataloguedRelease,
  machine: Judged,
): Found {
  const names = new Set(new InstalledPackages(machine.packages).fixNames);
  const hasName = ({ fixes }: PackageRecord) =>
    fixes.some(({ name }) => names.has(name) || names.has(kernelStem(name) ?? name));
  const read = records
    .map((record) => packageRecord(record, release))
    .filter((record) => record !== null);
  return withoutNotMissing(judgePackages(machine, release, read.filter(hasName)));
}

const withoutNotMissing = (verdicts: ReadonlyMap<string, RecordVerdict>): Found =>
  new Map([...verdicts].filter(([, { kind }]) => kind !== 'notMissing'));
