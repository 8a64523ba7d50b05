/** A Mac is fixed only where its version or its build can be ordered among releases of its own major version. */
import { expect, test } from 'vitest';
import type { MacRelease } from './machine-fixes.ts';
import { judgeMacRelease, macVerdict } from './macos-judgement.ts';

const release = (version: string, build: string | null): MacRelease => ({
  key: `${version} ${build}`,
  version,
  build,
});
// Builds as Apple's supported versions and installers state them.
const releases = [
  release('10.15.7', '19H15'),
  release('11.5', '20G71'),
  release('11.5.2', '20G95'),
  release('26.4.1', '25E253'),
];

const judged = (version: string | null, build: string | null, all = releases) => {
  const machine = { release: version, build };
  const records = new Map(all.map((one) => [one.key, judgeMacRelease(one, machine)]));
  const found = macVerdict(machine, all, records);
  return 'reason' in found ? `${found.kind} ${found.reason}` : found.kind;
};

test.each([
  ['26.4.1', '25E253', 'fixed'],
  ['26.4.1', null, 'fixed'],
  ['26.4', '25E246', 'missing'],
  ['10.15.7', '19H2026', 'fixed'],
  // Major versions without a release.
  ['27.0', '26A5288q', 'notJudged releaseNotInCatalogue'],
  ['27.0', null, 'notJudged releaseNotInCatalogue'],
  ['10.9.5', '13F1911', 'notJudged releaseNotInCatalogue'],
  // Betas, and builds of no form.
  ['26.4.1', '25E5218f', 'notJudged releaseNotInCatalogue'],
  ['26.5', '25F5042g', 'notJudged releaseNotInCatalogue'],
  ['26.4.1', 'unknown', 'notJudged releaseNotInCatalogue'],
  ['26.4', '25E5207k', 'missing'],
  // macOS 11 and later in compatibility mode.
  ['10.16', '20G95', 'fixed'],
  ['10.16', '20G1427', 'uncertain updateWithoutBuild'],
  ['10.16', '20G71', 'missing'],
  ['10.16', '25E246', 'missing'],
  ['10.16', '21G72', 'notJudged releaseNotInCatalogue'],
  ['10.16', null, 'notJudged releaseNotInCatalogue'],
])('judges %s (%s): %s', (version, build, expected) => {
  expect(judged(version, build)).toBe(expected);
});

// Apple's catalogue states no build of the security updates of macOS 10.14 and 10.15.
test.each([
  ['10.15.7', '19H15', 'uncertain updateWithoutBuild'],
  ['10.15.7', null, 'uncertain updateWithoutBuild'],
  ['10.15.6', '19G73', 'missing'],
  ['10.14.6', '18G103', 'fixed'],
  ['26.4.1', '25E253', 'fixed'],
])('judges %s (%s) beside a security update of 10.15.7: %s', (version, build, expected) => {
  const update = { ...release('10.15.7', null), key: 'SecUpd', isSecurityUpdate: true as const };
  const all = [...releases, release('10.14.6', '18G103'), update];
  expect(judged(version, build, all)).toBe(expected);
});

test('is uncertain where only a version could be compared in compatibility mode', () => {
  expect(judged('10.16', '20G71', [release('11.7.10', null)])).toBe('uncertain updateWithoutBuild');
});
