/** Rules for packages of each distribution, one row for each case. */
import { expect, test } from 'vitest';
import type { PackageRecord } from './machine-fixes.ts';
import { buildRecord, type Fix, formatVerdict, verdict } from './testing/judged-machine.ts';

const systems = {
  alma: 'ID=almalinux\nVERSION_ID=8.9',
  centos: 'CentOS Linux release 7.7.1908 (Core)',
  debian: 'ID=debian\nVERSION_ID="11"',
  ubuntu: 'ID=ubuntu\nVERSION_ID="16.04"',
} as const;

/** 'nodejs 1:18.20 module nodejs:18', 'source util-linux 2.36', 'glibc 2.28 architecture i686', 'bash 4.3 pocket esm-infra'. */
function parseFix(text: string): Fix {
  const [, source, name = '', version = '', rest = ''] =
    /^(source )?(\S+) (\S+) ?(.*)$/.exec(text) ?? [];
  const [property, value] = rest.split(' ');
  return {
    name,
    version,
    ...(source !== undefined && { by: 'source' as const }),
    ...(property !== '' && { [property ?? '']: value }),
  };
}

const no = 'notMissing';
const missing: unknown = expect.stringMatching(/^missing: /);
const misses = (text: string): unknown => expect.stringContaining(`missing: ${text}`);
const begins = (text: string): unknown => expect.stringMatching(`^${text}`);

type Row = readonly [
  system: keyof typeof systems,
  installed: readonly string[],
  fixes: readonly string[],
  expected: unknown,
  more?: Partial<PackageRecord>,
];

const bash8 = ['bash 0:4.4.20-4.el8_6 x86_64 (none)'];
const architectures = [
  'glibc 0:2.28-1.el8 x86_64 (none)',
  'glibc 0:2.28-9.el8 i686 (none)',
  'tzdata 0:2022-1 noarch (none)',
];
const node16 = ['nodejs 1:16.20.2-3.module_el8.8.0+3615 x86_64 nodejs:16:8080:63b34585'];
const node18 = 'nodejs 1:18.20.4-1.module_el8.10.0+3888';
const openssl = ['openssl 1:1.1.1k-12.el8_9'];
const bind = ['bind 32:9.11.4-9.el7 x86_64 (none)'];
const plain = ['glibc 0:2.28-251.el8 x86_64 (none)', 'gnutls 0:3.6.16-8.el8_9.3 x86_64 (none)'];
const ksplice = 'glibc 2:2.28-252.ksplice1.el8';
const fips = 'gnutls 10:3.6.16-8.el8_fips';
const kernels = [
  'kernel-core 0:4.18.0-477.27.1.el8_8 x86_64 (none)',
  'kernel-core 0:4.18.0-553.22.1.el8_10 x86_64 (none)',
];
const uek5 = 'kernel-uek 0:5.4.17-2136.el8uek x86_64 (none)';
const bothUek = [uek5, 'kernel-uek 0:5.15.0-200.el8uek x86_64 (none)'];
const oldUek = ['kernel-uek 5.4.17-2137.el8uek'];
const newUek = ['kernel-uek 5.15.0-300.el8uek'];
const withSources = [
  'bsdutils 1:2.36.1-8 amd64 ii  util-linux 2.36.1-8',
  'libc6 2.31-13+b1 amd64 ii  glibc 2.31-13',
];
const someSources = ['bash\t5.1-2\tamd64\t', 'dmsetup\t2:1.02.175-2.1\tamd64\tlvm2 (2.03.11-2.1)'];
const linux8 = 'linux-image-5.10.0-8-amd64 5.10.46-4 amd64 ii  linux-signed-amd64 5.10.46+4';
const linux9 = 'linux-image-5.10.0-9-amd64 5.10.70-1 amd64 ii  linux-signed-amd64 5.10.70+1';
const line61 =
  'linux-image-6.1.0-0.deb11.21-amd64 6.1.90-1~deb11u1 amd64 ii  linux-signed-6.1-amd64 6.1.90+1~deb11u1';
const corrected =
  'linux-image-5.10.0-8-amd64 5.10.46-4+deb11u1 amd64 ii  linux-signed-amd64 5.10.46+4+deb11u1';
const removed = [
  'apache2-bin 2.4.48-3 amd64 rc  apache2 2.4.48-3',
  'bash 5.1-2 amd64 ii  bash 5.1-2',
];
const bash = ['bash\t4.3-14ubuntu1.4'];
const esm = 'bash 4.3-14ubuntu1.4+esm1';
const pro = ['libssl1.0.0\t1.0.2g-1ubuntu4.20+esm5', 'ffmpeg\t7:2.8.17-0ubuntu0.1'];
const generic = ['linux-image-4.4.0-210-generic\t4.4.0-210.242'];

const rules: Readonly<Record<string, readonly Row[]>> = {
  'misses what is installed at a lower version': [
    ['alma', bash8, ['bash 4.4.20-5.el8'], 'missing: bash 4.4.20-4.el8_6 → 4.4.20-5.el8'],
    ['alma', ['zlib 0:1.2.11-25.el8 x86_64 (none)'], ['zlib 1.2.11-25.el8'], no],
    ['alma', bash8, ['curl 9-1.el8'], no],
  ],
  'keeps architectures apart, but for noarch': [
    ['alma', architectures, ['glibc 2.28-5.el8 architecture i686'], no],
    ['alma', architectures, ['glibc 2.28-5.el8 architecture x86_64'], missing],
    ['alma', architectures, ['glibc 2.28-5.el8 architecture aarch64'], no],
    ['alma', architectures, ['glibc 2.28-5.el8 architecture src'], no],
    ['alma', architectures, ['tzdata 2023-1 architecture x86_64'], missing],
  ],
  'judges only the stream of a module that is installed': [
    ['alma', node16, [`${node18} module nodejs:18:8100:1`], no],
    ['alma', node16, [`${node18} module nodejs:16:8100:1`], missing],
    ['alma', node16, ['nodejs 1:18.20.4-1.el8'], no],
    ['alma', ['nodejs 1:10.24.0-1.el8 x86_64 (none)'], [`${node18} module nodejs:18`], no],
  ],
  'is uncertain where record or inventory names no stream': [
    ['alma', node16, [node18], begins('uncertain recordWithoutStream')],
    [
      'alma',
      ['nodejs-16.20.2-3.module_el8.8.0+3615.x86_64'],
      [`${node18} module nodejs:16`],
      begins('uncertain inventoryWithoutModules'),
    ],
  ],
  'compares epochs, and goes without where the inventory leaves them out': [
    ['alma', ['openssl 0:9.9-1.el8 x86_64 (none)'], openssl, missing],
    ['alma', ['openssl 1:1.1.1k-9.el8_7 x86_64 (none)'], openssl, missing],
    ['alma', ['openssl-1.1.1k-9.el8_7.x86_64'], openssl, missing],
    ['alma', ['openssl-1.1.1k-12.el8_9.x86_64'], openssl, no],
  ],
  'compares CentOS without epochs, which its records never have': [
    ['centos', bind, ['bind 9.11.4-26.el7'], missing],
    ['centos', bind, ['bind 9.11.4-9.el7'], no],
  ],
  'compares ksplice and FIPS builds of Oracle with their like only': [
    ['alma', plain, [ksplice, fips], no],
    ['alma', ['glibc 2:2.28-72.0.1.ksplice1.el8 x86_64 (none)'], [ksplice], missing],
    ['alma', ['gnutls 10:3.6.16-4.el8_fips x86_64 (none)'], [fips], missing],
  ],
  'judges the newest of several kernels': [
    ['alma', kernels, ['kernel-core 4.18.0-513.el8_9'], no],
    [
      'alma',
      kernels,
      ['kernel-core 4.18.0-553.40.1.el8_10'],
      'missing: kernel-core 4.18.0-553.22.1.el8_10 → 4.18.0-553.40.1.el8_10',
    ],
  ],
  'keeps the lines of UEK apart from each other': [
    ['alma', [uek5], oldUek, missing],
    ['alma', [uek5], newUek, no],
    ['alma', bothUek, newUek, misses('kernel-uek 5.15.0')],
    ['alma', bothUek, oldUek, no],
    ['alma', ['5.4.17-2136.el8uek.x86_64', ...bothUek], oldUek, misses('kernel-uek 5.4.17')],
  ],
  'names each package once, with its highest fix': [
    [
      'alma',
      bash8,
      ['bash 4.4.20-5.el8', 'bash 4.4.20-7.el8', 'bash 4.4.20-6.el8'],
      'missing: bash 4.4.20-4.el8_6 → 4.4.20-7.el8',
    ],
    [
      'debian',
      withSources,
      ['source util-linux 2.36.1-8+deb11u1', 'bsdutils 1:2.36.1-8+deb11u1'],
      'missing: bsdutils 1:2.36.1-8 → 1:2.36.1-8+deb11u1',
    ],
  ],
  'misses no fix of version 0, which says that no version is affected': [
    ['debian', ['lxde 0~git1-1 amd64 ii  lxde 0~git1-1'], ['source lxde 0'], no],
    ['debian', ['lxde 0~git1-1 amd64 ii  lxde 0~git1-1'], ['source lxde 0~git2-1'], missing],
  ],
  'leaves out what the vendor retracted': [
    ['alma', bash8, ['bash 9-1'], 'notJudged retracted', { retracted: true }],
  ],
  'orders prereleases and snapshots': [
    ['alma', ['a 0:1.0~rc1-1 x86_64 (none)'], ['a 1.0-1'], missing],
    ['alma', ['a 0:1.0^git1-1 x86_64 (none)'], ['a 1.0-9'], no],
  ],
  'compares the version of the source package, not that of the binary': [
    [
      'debian',
      withSources,
      ['source util-linux 2.36.1-8+deb11u1'],
      'missing: bsdutils 2.36.1-8 → 2.36.1-8+deb11u1',
    ],
    ['debian', withSources, ['source util-linux 2.36.1-8'], no],
    ['debian', withSources, ['source glibc 2.31-13+deb11u3'], misses('libc6 2.31-13 →')],
    ['debian', withSources, ['source bsdutils 9'], no],
    [
      'ubuntu',
      ['bsdutils 1:2.27.1-6ubuntu3.10 amd64 ii  util-linux 2.27.1-6ubuntu3.10'],
      ['source util-linux 2.27.1-6ubuntu3.11'],
      misses('bsdutils'),
    ],
  ],
  'takes a package without a source for its own where others have one': [
    ['debian', someSources, ['source bash 5.1-3'], missing],
    ['debian', someSources, ['source lvm2 2.03.11-2.1'], no],
  ],
  'goes by the binary packages of the record where the inventory names no sources': [
    [
      'debian',
      ['libssl1.1\t1.1.1n-0+deb11u4'],
      ['source openssl 1.1.1n-0+deb11u5', 'libssl1.1 1.1.1n-0+deb11u5'],
      misses('libssl1.1'),
    ],
  ],
  'knows the kernel behind its signed packages, and judges the newest': [
    ['debian', [linux8], ['source linux 5.10.46-4'], no],
    [
      'debian',
      [linux8],
      ['source linux 5.10.46-5'],
      'missing: linux-image-5.10.0-8-amd64 5.10.46-4 → 5.10.46-5',
    ],
    ['debian', [linux8, linux9], ['source linux 5.10.70-1'], no],
    ['debian', [corrected], ['source linux 5.10.46-4+deb11u1'], no],
    ['debian', [corrected], ['source linux 5.10.46-4+deb11u2'], missing],
    ['debian', [line61], ['source linux-6.1 6.1.106-3~deb11u1'], misses('linux-image-6.1.0')],
    ['debian', [line61], ['source linux-6.1 6.1.90-1~deb11u1'], no],
    ['debian', [line61], ['source linux 6.1.106-3'], no],
  ],
  'leaves out removed packages': [['debian', removed, ['source apache2 2.4.48-4'], no]],
  'says which fixes need Ubuntu Pro': [
    ['ubuntu', bash, [`${esm} pocket esm-infra`], begins('needsSubscription: bash')],
    ['ubuntu', bash, [esm], begins('needsSubscription: bash')],
    ['ubuntu', ['bash\t4.3-14ubuntu1.4+esm1'], [`${esm} pocket esm-infra`], no],
  ],
  'misses fixes for Ubuntu Pro where the installed build shows the subscription': [
    ['ubuntu', pro, ['libssl1.0.0 1.0.2g-1ubuntu4.20+esm10 pocket esm-infra'], misses('libssl1')],
    ['ubuntu', pro, ['libssl1.0.0 1.0.2g-1ubuntu4.20+esm10'], misses('libssl1')],
    ['ubuntu', pro, ['libssl1.0.0 1.0.2g-1ubuntu4.20+esm5 pocket esm-infra'], no],
    ['ubuntu', pro, ['ffmpeg 7:2.8.17-0ubuntu0.1+esm4 pocket esm-apps'], begins('needsSub')],
    ['ubuntu', pro, ['libssl1.0.0 1.0.2g-1ubuntu4.21 pocket realtime'], begins('needsSub')],
    [
      'ubuntu',
      ['openssl\t1.0.2g-1ubuntu4.fips.4.6'],
      ['openssl 1.0.2g-1ubuntu4.fips.4.7 pocket fips'],
      misses('openssl'),
    ],
    [
      'ubuntu',
      ['libssl3\t3.0.2-0ubuntu1.18+Fips1'],
      ['libssl3 3.0.2-0ubuntu1.19+Fips1 pocket fips-updates'],
      misses('libssl3'),
    ],
  ],
  'misses what also a free pocket fixes': [
    [
      'ubuntu',
      bash,
      [`${esm} pocket esm-infra`, 'bash 4.3-14ubuntu1.5 pocket security'],
      'missing: bash 4.3-14ubuntu1.4 → 4.3-14ubuntu1.5',
    ],
  ],
  'never compares live patches, backports, proposed and FIPS packages with others': [
    ...['livepatch', 'backports', 'proposed', 'fips'].map(
      (pocket): Row => ['ubuntu', bash, [`bash 9 pocket ${pocket}`], no],
    ),
    ['ubuntu', bash, ['bash 9'], 'notJudged livepatch', { livepatch: true }],
  ],
  'finds the fix of a kernel under its new name, within its version': [
    [
      'ubuntu',
      generic,
      ['linux-image-4.4.0-211-generic 4.4.0-211.243'],
      misses('linux-image-4.4.0-210-generic 4.4.0-210.242 → 4.4.0-211.243'),
    ],
    ['ubuntu', generic, ['linux-image-4.15.0-99-generic 4.15.0-99.1'], no],
    ['ubuntu', generic, ['linux-image-4.4.0-211-lowlatency 4.4.0-211.243'], no],
  ],
};

test.each(Object.entries(rules))('%s', (_rule, rows) => {
  for (const [system, installed, fixes, expected, more] of rows) {
    const inventory = [systems[system], ...installed].join('\n');
    const found = formatVerdict(verdict(inventory, buildRecord(fixes.map(parseFix), more)));
    expect(found, `${installed.join('; ')}: ${fixes.join('; ')}`).toEqual(expected);
  }
});
