/** Writes the command that installs a record's fix on the machines of a release. */
import { machineOfRelease, writtenRelease } from '../judgement/catalogued-release.ts';
import { fixesByRelease } from '../judgement/indexed-fixes.ts';
import { kernelStem } from '../judgement/kernel-stem.ts';
import { isSourceArchitecture } from '../judgement/rpm-judgement.ts';
import { type StoredRecord, wordIn } from '../judgement/stored-values.ts';
import { installsPackages, packageCommand } from './install-command.ts';

/** A record with more packages has no command: nobody can check a longer one before running it. */
const maxPackages = 12;

/**
 * The command changes installed packages only.
 * Returns null for a release without a package manager, for a record that states source packages alone, and for packages whose
 * names contain their version, such as Ubuntu's kernels.
 * @param release - As the record writes it: `AlmaLinux 9`.
 */
export function releaseCommand(
  { row, detail }: Omit<StoredRecord, 'key'>,
  identifier: string | null,
  release: string,
): string | null {
  const machine = machineOfRelease(release);
  if (machine === null) return null;
  const names = installsPackages(machine) ? listPackages({ row, detail }, release) : [];
  if (names.length > maxPackages || names.some((name) => kernelStem(name) !== null)) return null;
  const packages = names.map((name) => ({ name, version: null }));
  const record = { identifier: wordIn(row, 'patchName') ?? identifier ?? '', packages };
  return (
    packageCommand([record], machine)?.text.replace(
      'apt-get install',
      'apt-get install --only-upgrade',
    ) ?? null
  );
}

function listPackages({ row, detail }: Omit<StoredRecord, 'key'>, release: string) {
  const names = [release, writtenRelease(release)?.withoutTag];
  const fixes = fixesByRelease(row, detail).filter((one) => names.includes(one.release));
  const binary = fixes
    .flatMap((one) => one.fixes)
    .filter(({ by, architecture }) => by === 'binary' && !isSourceArchitecture(architecture));
  return [...new Set(binary.map(({ name }) => name))];
}
