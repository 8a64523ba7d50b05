/** Plans the release to install on a Mac. */
import type { MacRelease } from '../judgement/machine-fixes.ts';
import { judgeMacRelease, macName } from '../judgement/macos-judgement.ts';
import { byKey, type InstallStep, toTarget } from './record-closers.ts';

/** Plans the newest of the releases that a Mac misses, which contains the others. */
export function planMac(missing: readonly MacRelease[]): readonly InstallStep[] {
  const isNewer = (one: MacRelease, than: MacRelease) =>
    judgeMacRelease(one, { release: than.version, build: than.build }).kind === 'missing';
  const newest = missing
    .toSorted(byKey)
    .find((one) => !missing.some((other) => isNewer(other, one)));
  const targets = [toTarget({ name: macName, architecture: null })];
  return newest === undefined ? [] : [{ key: newest.key, targets }];
}
