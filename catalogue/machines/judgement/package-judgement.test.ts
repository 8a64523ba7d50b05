/** The rules for packages, a case for each. Machines are read from what their tools print. */
import { describe, expect, test } from 'vitest';
import { readInventory } from '../inventory/read-inventory.ts';
import { cataloguedRelease } from './catalogued-release.ts';
import { judgePackages } from './judge-packages.ts';
import type { PackageFix, PackageRecord, Verdict } from './machine-fixes.ts';

type Fix = Partial<PackageFix> & Pick<PackageFix, 'name' | 'version'>;

const recordOf = (fixes: readonly Fix[], more: Partial<PackageRecord> = {}): PackageRecord => ({
  key: 'one',
  retracted: false,
  livepatch: false,
  fixes: fixes.map((fix) => ({
    by: 'binary',
    architecture: null,
    module: null,
    pocket: null,
    ...fix,
  })),
  ...more,
});

function verdict(inventory: string, record: PackageRecord): Verdict {
  const { machine, unreadable } = readInventory(inventory);
  expect(unreadable).toEqual([]);
  const release = cataloguedRelease(machine);
  if (release === null) throw new Error('The inventory names no release of the catalogue');
  return judgePackages(machine, release, [record]).get('one') as Verdict;
}

/** `missing: bash 1 → 2`; a reason stands behind the kind. */
function shortly(of: Verdict): string {
  if (of.kind === 'notMissing') return of.kind;
  if (of.kind === 'notJudged') return `notJudged ${of.reason}`;
  const evidence = of.evidence.map(
    ({ name, installed, fixed }) => `${name} ${installed} → ${fixed}`,
  );
  const kind = of.kind === 'uncertain' ? `uncertain ${of.reason}` : of.kind;
  return `${kind}: ${evidence.join(', ')}`;
}

describe('RPM', () => {
  const alma = (...lines: string[]) => ['ID=almalinux', 'VERSION_ID=8.9', ...lines].join('\n');
  const judged = (lines: readonly string[], fixes: readonly Fix[], more?: Partial<PackageRecord>) =>
    shortly(verdict(alma(...lines), recordOf(fixes, more)));

  test('misses what is installed at a lower version', () => {
    const installed = ['bash 0:4.4.20-4.el8_6 x86_64 (none)', 'zlib 0:1.2.11-25.el8 x86_64 (none)'];
    expect(judged(installed, [{ name: 'bash', version: '4.4.20-5.el8' }])).toBe(
      'missing: bash 4.4.20-4.el8_6 → 4.4.20-5.el8',
    );
    expect(judged(installed, [{ name: 'zlib', version: '1.2.11-25.el8' }])).toBe('notMissing');
    expect(judged(installed, [{ name: 'curl', version: '9-1.el8' }])).toBe('notMissing');
  });

  test('keeps architectures apart, but for noarch', () => {
    const installed = [
      'glibc 0:2.28-1.el8 x86_64 (none)',
      'glibc 0:2.28-9.el8 i686 (none)',
      'tzdata 0:2022-1 noarch (none)',
    ];
    const fix = (name: string, architecture: string) => [
      { name, version: '2.28-5.el8', architecture },
    ];
    expect(judged(installed, fix('glibc', 'i686'))).toBe('notMissing');
    expect(judged(installed, fix('glibc', 'x86_64'))).toMatch(/^missing/);
    expect(judged(installed, fix('glibc', 'aarch64'))).toBe('notMissing');
    expect(judged(installed, fix('glibc', 'src'))).toBe('notMissing');
    expect(
      judged(installed, [{ name: 'tzdata', version: '2023-1', architecture: 'x86_64' }]),
    ).toMatch(/^missing/);
  });

  test('judges only the stream of a module that is installed', () => {
    const installed = ['nodejs 1:16.20.2-3.module_el8.8.0+3615 x86_64 nodejs:16:8080:63b34585'];
    const fix = { name: 'nodejs', version: '1:18.20.4-1.module_el8.10.0+3888' };
    expect(judged(installed, [{ ...fix, module: 'nodejs:18:8100:1' }])).toBe('notMissing');
    expect(judged(installed, [{ ...fix, module: 'nodejs:16:8100:1' }])).toMatch(/^missing/);
    expect(judged(installed, [{ name: 'nodejs', version: '1:18.20.4-1.el8' }])).toBe('notMissing');
    expect(
      judged(['nodejs 1:10.24.0-1.el8 x86_64 (none)'], [{ ...fix, module: 'nodejs:18' }]),
    ).toBe('notMissing');
  });

  test('is uncertain where record or inventory names no stream', () => {
    const version = '1:18.20.4-1.module_el8.10.0+3888';
    expect(
      judged(
        ['nodejs 1:16.20.2-3.module_el8.8.0+3615 x86_64 nodejs:16:1:1'],
        [{ name: 'nodejs', version }],
      ),
    ).toMatch(/^uncertain recordWithoutStream/);
    expect(
      judged(
        ['nodejs-16.20.2-3.module_el8.8.0+3615.x86_64'],
        [{ name: 'nodejs', version, module: 'nodejs:16' }],
      ),
    ).toMatch(/^uncertain inventoryWithoutModules/);
  });

  test('compares epochs, and goes without where the inventory leaves them out', () => {
    const fix = [{ name: 'openssl', version: '1:1.1.1k-12.el8_9' }];
    expect(judged(['openssl 0:9.9-1.el8 x86_64 (none)'], fix)).toMatch(/^missing/);
    expect(judged(['openssl 1:1.1.1k-9.el8_7 x86_64 (none)'], fix)).toMatch(/^missing/);
    expect(judged(['openssl-1.1.1k-9.el8_7.x86_64'], fix)).toMatch(/^missing/);
    expect(judged(['openssl-1.1.1k-12.el8_9.x86_64'], fix)).toBe('notMissing');
  });

  test('compares CentOS without epochs, which its records never have', () => {
    const inventory = 'CentOS Linux release 7.7.1908 (Core)\nbind 32:9.11.4-9.el7 x86_64 (none)';
    expect(
      shortly(verdict(inventory, recordOf([{ name: 'bind', version: '9.11.4-26.el7' }]))),
    ).toMatch(/^missing/);
    expect(shortly(verdict(inventory, recordOf([{ name: 'bind', version: '9.11.4-9.el7' }])))).toBe(
      'notMissing',
    );
  });

  test('compares ksplice and FIPS builds of Oracle with their like only', () => {
    const plain = ['glibc 0:2.28-251.el8 x86_64 (none)', 'gnutls 0:3.6.16-8.el8_9.3 x86_64 (none)'];
    const ksplice = { name: 'glibc', version: '2:2.28-252.ksplice1.el8' };
    const fips = { name: 'gnutls', version: '10:3.6.16-8.el8_fips' };
    expect(judged(plain, [ksplice, fips])).toBe('notMissing');
    expect(judged(['glibc 2:2.28-72.0.1.ksplice1.el8 x86_64 (none)'], [ksplice])).toMatch(
      /^missing/,
    );
    expect(judged(['gnutls 10:3.6.16-4.el8_fips x86_64 (none)'], [fips])).toMatch(/^missing/);
  });

  test('judges the newest of several kernels', () => {
    const kernels = [
      'kernel-core 0:4.18.0-477.27.1.el8_8 x86_64 (none)',
      'kernel-core 0:4.18.0-553.22.1.el8_10 x86_64 (none)',
    ];
    expect(judged(kernels, [{ name: 'kernel-core', version: '4.18.0-513.el8_9' }])).toBe(
      'notMissing',
    );
    expect(judged(kernels, [{ name: 'kernel-core', version: '4.18.0-553.40.1.el8_10' }])).toBe(
      'missing: kernel-core 4.18.0-553.22.1.el8_10 → 4.18.0-553.40.1.el8_10',
    );
  });

  test('keeps the lines of UEK apart from each other', () => {
    const both = [
      'kernel-uek 0:5.4.17-2136.el8uek x86_64 (none)',
      'kernel-uek 0:5.15.0-200.el8uek x86_64 (none)',
    ];
    const old = [{ name: 'kernel-uek', version: '5.4.17-2137.el8uek' }];
    const recent = [{ name: 'kernel-uek', version: '5.15.0-300.el8uek' }];
    expect(judged(both.slice(0, 1), old)).toMatch(/^missing/);
    expect(judged(both.slice(0, 1), recent)).toBe('notMissing');
    expect(judged(both, recent)).toMatch(/^missing: kernel-uek 5.15.0/);
    expect(judged(both, old)).toBe('notMissing');
    expect(judged(['5.4.17-2136.el8uek.x86_64', ...both], old)).toMatch(
      /^missing: kernel-uek 5.4.17/,
    );
  });

  test('names each package once, with its highest fix', () => {
    const fixes = ['4.4.20-5.el8', '4.4.20-7.el8', '4.4.20-6.el8'].map((version) => ({
      name: 'bash',
      version,
    }));
    expect(judged(['bash 0:4.4.20-4.el8_6 x86_64 (none)'], fixes)).toBe(
      'missing: bash 4.4.20-4.el8_6 → 4.4.20-7.el8',
    );
  });

  test('leaves out what the vendor retracted', () => {
    const fix = [{ name: 'bash', version: '9-1' }];
    expect(judged(['bash 0:1-1 x86_64 (none)'], fix, { retracted: true })).toBe(
      'notJudged retracted',
    );
  });

  test('orders prereleases and snapshots', () => {
    expect(judged(['a 0:1.0~rc1-1 x86_64 (none)'], [{ name: 'a', version: '1.0-1' }])).toMatch(
      /^missing/,
    );
    expect(judged(['a 0:1.0^git1-1 x86_64 (none)'], [{ name: 'a', version: '1.0-9' }])).toBe(
      'notMissing',
    );
  });
});

describe('Debian', () => {
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
    const installed = [
      'bash\t5.1-2\tamd64\t',
      'dmsetup\t2:1.02.175-2.1\tamd64\tlvm2 (2.03.11-2.1)',
    ];
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
      judged(
        ['apache2-bin 2.4.48-3 amd64 rc  apache2 2.4.48-3', 'bash 5.1-2 amd64 ii  bash 5.1-2'],
        { name: 'apache2', version: '2.4.48-4' },
      ),
    ).toBe('notMissing');
  });
});

describe('Ubuntu', () => {
  const judged = (lines: readonly string[], fixes: readonly Fix[], more?: Partial<PackageRecord>) =>
    shortly(
      verdict(['ID=ubuntu', 'VERSION_ID="16.04"', ...lines].join('\n'), recordOf(fixes, more)),
    );
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
});
