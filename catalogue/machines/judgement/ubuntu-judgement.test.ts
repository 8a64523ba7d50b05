/** The rules for packages of Ubuntu, a case for each. */
import { expect, test } from 'vitest';
import type { PackageRecord } from './machine-fixes.ts';
import { type Fix, recordOf, shortly, verdict } from './testing/judged-machine.ts';

const judged = (lines: readonly string[], fixes: readonly Fix[], more?: Partial<PackageRecord>) =>
  shortly(verdict(['ID=ubuntu', 'VERSION_ID="16.04"', ...lines].join('\n'), recordOf(fixes, more)));
const bash = ['bash\t4.3-14ubuntu1.4'];

test('says which fixes need Ubuntu Pro', () => {
  const fix = { name: 'bash', version: '4.3-14ubuntu1.4+esm1' };
  expect(judged(bash, [{ ...fix, pocket: 'esm-infra' }])).toMatch(/^needsSubscription: bash/);
  expect(judged(bash, [fix])).toMatch(/^needsSubscription: bash/);
  expect(judged(['bash\t4.3-14ubuntu1.4+esm1'], [{ ...fix, pocket: 'esm-infra' }])).toBe(
    'notMissing',
  );
});

test('misses what also a free pocket fixes', () => {
  const fixes = [
    { name: 'bash', version: '4.3-14ubuntu1.4+esm1', pocket: 'esm-infra' },
    { name: 'bash', version: '4.3-14ubuntu1.5', pocket: 'security' },
  ];
  expect(judged(bash, fixes)).toBe('missing: bash 4.3-14ubuntu1.4 → 4.3-14ubuntu1.5');
});

test('never compares live patches, backports, proposed and FIPS packages', () => {
  for (const pocket of ['livepatch', 'backports', 'proposed', 'fips'])
    expect(judged(bash, [{ name: 'bash', version: '9', pocket }])).toBe('notMissing');
  expect(judged(bash, [{ name: 'bash', version: '9' }], { livepatch: true })).toBe(
    'notJudged livepatch',
  );
  expect(
    judged(
      ['openssl\t1.0.2g-1ubuntu4.fips.4.6'],
      [{ name: 'openssl', version: '1.0.2g-1ubuntu4.fips.4.7', pocket: 'fips' }],
    ),
  ).toMatch(/^needsSubscription/);
});

test('finds the fix of a kernel under its new name, within its version', () => {
  const installed = ['linux-image-4.4.0-210-generic\t4.4.0-210.242'];
  expect(
    judged(installed, [{ name: 'linux-image-4.4.0-211-generic', version: '4.4.0-211.243' }]),
  ).toMatch(/^missing: linux-image-4.4.0-210-generic 4.4.0-210.242 → 4.4.0-211.243/);
  expect(
    judged(installed, [{ name: 'linux-image-4.15.0-99-generic', version: '4.15.0-99.1' }]),
  ).toBe('notMissing');
  expect(
    judged(installed, [{ name: 'linux-image-4.4.0-211-lowlatency', version: '4.4.0-211.243' }]),
  ).toBe('notMissing');
});

test('compares source rows where the inventory names sources', () => {
  const fix = { by: 'source' as const, name: 'util-linux', version: '2.27.1-6ubuntu3.11' };
  expect(
    judged(['bsdutils 1:2.27.1-6ubuntu3.10 amd64 ii  util-linux 2.27.1-6ubuntu3.10'], [fix]),
  ).toMatch(/^missing: bsdutils/);
});
