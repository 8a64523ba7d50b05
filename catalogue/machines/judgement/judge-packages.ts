/** Judges all records of a machine's release at once. */
import type { Machine } from '../machine.ts';
import type { CataloguedRelease } from './catalogued-release.ts';
import { judgeDebRecord } from './deb-judgement.ts';
import { InstalledPackages } from './installed-packages.ts';
import type { PackageRecord, RecordVerdict } from './machine-fixes.ts';
import { judgeRpmRecord } from './rpm-judgement.ts';

/** Returns verdicts by record key. The caller may omit records that list no installed package, because they are not missing. */
export function judgePackages(
  machine: Pick<Machine, 'packages' | 'kernel'>,
  release: CataloguedRelease,
  records: Iterable<PackageRecord>,
  installed = new InstalledPackages(machine.packages),
): ReadonlyMap<string, RecordVerdict> {
  const number = release.names[0]?.split(' ').at(-1) ?? '';
  const rpm = { installed, epochs: release.epochs, kernel: machine.kernel, release: number };
  const verdicts = new Map<string, RecordVerdict>();
  for (const record of records) {
    const verdict =
      release.family === 'rpm' ? judgeRpmRecord(record, rpm) : judgeDebRecord(record, installed);
    verdicts.set(record.key, verdict);
  }
  return verdicts;
}
