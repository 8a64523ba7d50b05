/** The rules for packages of Debian, a case for each. */
import { expect, test } from 'vitest';
import { type Fix, recordOf, shortly, verdict } from './testing/judged-machine.ts';

const judged = (lines: readonly string[], fix: Fix, binaries: readonly Fix[] = []) =>
  shortly(
    verdict(
      ['ID=debian', 'VERSION_ID="11"', ...lines].join('\n'),
      recordOf([{ by: 'source', ...fix }, ...binaries]),
    ),
  );

test('compares the version of the source package, not that of the binary', () => {
  const installed = [
    'bsdutils 1:2.36.1-8 amd64 ii  util-linux 2.36.1-8',
    'libc6 2.31-13+b1 amd64 ii  glibc 2.31-13',
  ];
  expect(judged(installed, { name: 'util-linux', version: '2.36.1-8+deb11u1' })).toBe(
    'missing: bsdutils 2.36.1-8 → 2.36.1-8+deb11u1',
  );
  expect(judged(installed, { name: 'util-linux', version: '2.36.1-8' })).toBe('notMissing');
  expect(judged(installed, { name: 'glibc', version: '2.31-13+deb11u3' })).toMatch(
    /^missing: libc6 2.31-13 →/,
  );
  expect(judged(installed, { name: 'bsdutils', version: '9' })).toBe('notMissing');
});

test('takes a package without a source for its own where others have one', () => {
  const installed = ['bash\t5.1-2\tamd64\t', 'dmsetup\t2:1.02.175-2.1\tamd64\tlvm2 (2.03.11-2.1)'];
  expect(judged(installed, { name: 'bash', version: '5.1-3' })).toMatch(/^missing/);
  expect(judged(installed, { name: 'lvm2', version: '2.03.11-2.1' })).toBe('notMissing');
});

test('goes by the binary packages of the record where the inventory names no sources', () => {
  const binaries = [{ name: 'libssl1.1', version: '1.1.1n-0+deb11u5' }];
  expect(
    judged(
      ['libssl1.1\t1.1.1n-0+deb11u4'],
      { name: 'openssl', version: '1.1.1n-0+deb11u5' },
      binaries,
    ),
  ).toMatch(/^missing: libssl1.1/);
});

test('knows the kernel behind its signed packages, and judges the newest', () => {
  const older = 'linux-image-5.10.0-8-amd64 5.10.46-4 amd64 ii  linux-signed-amd64 5.10.46+4';
  const newer = 'linux-image-5.10.0-9-amd64 5.10.70-1 amd64 ii  linux-signed-amd64 5.10.70+1';
  expect(judged([older], { name: 'linux', version: '5.10.46-4' })).toBe('notMissing');
  expect(judged([older], { name: 'linux', version: '5.10.46-5' })).toBe(
    'missing: linux-image-5.10.0-8-amd64 5.10.46-4 → 5.10.46-5',
  );
  expect(judged([older, newer], { name: 'linux', version: '5.10.70-1' })).toBe('notMissing');
});

test('names a package once where the record names its source too', () => {
  expect(
    judged(
      ['bsdutils 1:2.36.1-8 amd64 ii  util-linux 2.36.1-8'],
      { name: 'util-linux', version: '2.36.1-8+deb11u1' },
      [{ name: 'bsdutils', version: '1:2.36.1-8+deb11u1' }],
    ),
  ).toBe('missing: bsdutils 1:2.36.1-8 → 1:2.36.1-8+deb11u1');
});

test('leaves out removed packages', () => {
  expect(
    judged(['apache2-bin 2.4.48-3 amd64 rc  apache2 2.4.48-3', 'bash 5.1-2 amd64 ii  bash 5.1-2'], {
      name: 'apache2',
      version: '2.4.48-4',
    }),
  ).toBe('notMissing');
});
