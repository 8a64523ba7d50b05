/** Compares verdicts of parts with verdicts of machines, for random machines and records of every family. */
import { expect, test } from 'vitest';
import {
  InstalledApplications,
  judgeApplication,
} from '../machines/judgement/application-judgement.ts';
import { cataloguedRelease } from '../machines/judgement/catalogued-release.ts';
import { judgePackages } from '../machines/judgement/judge-packages.ts';
import type { PackageRecord, RecordVerdict } from '../machines/judgement/machine-fixes.ts';
import type { InstalledPackage, Machine } from '../machines/machine.ts';
import { inventoryParts, namesOfFix } from './inventory-part.ts';
import { combinedFinding, type MissingFinding } from './missing-finding.ts';

/** Creates a seeded generator, so that a failure can be repeated. */
function randomFrom(seed: number) {
  let state = seed;
  const next = () => {
    state = (state * 1664525 + 1013904223) % 4294967296;
    return state / 4294967296;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  const of = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item;
  return { below, of };
}
type Random = ReturnType<typeof randomFrom>;

const empty: Machine = {
  platform: 'linux',
  distribution: null,
  release: null,
  architecture: 'x86_64',
  kernel: null,
  build: null,
  packages: [],
  kbs: [],
  applications: [],
};

const rpmNames = [
  'bash',
  'openssl',
  'openssl-libs',
  'kernel-core',
  'kernel-uek',
  'perl',
  'perl-libs',
];
const rpmVersions = [
  '1.1-1.el8',
  '1.1-2.el8',
  '1.1-2.module+el8',
  '1.2-1.el8',
  '5.4.17-1.el8uek',
  '5.15.0-3.el8uek',
  '1.1-2.ksplice1.el8',
  '1.2-1_fips',
];
const modules: readonly InstalledPackage['module'][] = [
  { kind: 'none' },
  { kind: 'unstated' },
  { kind: 'stream', name: 'perl', stream: '5.26' },
  { kind: 'stream', name: 'perl', stream: '5.30' },
];

function rpmMachine(random: Random): Machine {
  return {
    ...empty,
    ...random.of([
      { distribution: 'ol', release: '8.9' },
      { distribution: 'centos', release: '7.9' },
      { distribution: 'almalinux', release: '8.10' },
    ]),
    kernel: random.of([null, '5.4.17-1.el8uek.x86_64', '4.18.0-1.el8.x86_64']),
    packages: Array.from({ length: random.below(9) }, () => ({
      format: 'rpm' as const,
      name: random.of(rpmNames),
      version: random.of(rpmVersions),
      epoch: random.of([null, '0', '1']),
      architecture: random.of(['x86_64', 'i686', 'noarch', null]),
      module: random.of(modules),
      source: null,
      stateKnown: true,
    })),
  };
}

const debNames = [
  'bash',
  'libssl3',
  'openssl',
  'linux-image-5.10.0-8-amd64',
  'linux-image-5.10.0-9-amd64',
  'linux-headers-5.10.0-9-amd64',
  'dmsetup',
];
const debSources = ['bash', 'openssl', 'linux', 'linux-signed-amd64', 'lvm2'];
const debVersions = [
  '1.0-1',
  '1.0-1+b1',
  '1.0-2',
  '2:1.0-1',
  '1.0-1+esm1',
  '1.1-1fips1',
  '5.10.46+4',
  '5.10.46-4',
];

function debMachine(random: Random): Machine {
  const withSources = random.below(2) === 1;
  return {
    ...empty,
    ...random.of([
      { distribution: 'debian', release: '11.2' },
      { distribution: 'ubuntu', release: '22.04' },
    ]),
    packages: Array.from({ length: random.below(9) }, () => ({
      format: 'deb' as const,
      name: random.of(debNames),
      version: random.of(debVersions),
      epoch: null,
      architecture: random.of(['amd64', 'i386', 'all']),
      module: { kind: 'none' as const },
      source:
        withSources && random.below(3) > 0
          ? { name: random.of(debSources), version: random.of([null, ...debVersions]) }
          : null,
      stateKnown: random.below(2) === 1,
    })),
  };
}

function recordsFor(random: Random, family: 'rpm' | 'deb'): readonly PackageRecord[] {
  const [names, versions] =
    family === 'rpm' ? [rpmNames, rpmVersions] : [[...debNames, ...debSources], debVersions];
  return Array.from({ length: 12 }, (_, number) => ({
    key: `list ${number}`,
    retracted: random.below(12) === 0,
    livepatch: random.below(12) === 0,
    fixes: Array.from({ length: 1 + random.below(3) }, () => ({
      by: random.of(['binary', 'source'] as const),
      name: random.of(names),
      version: random.of(versions),
      architecture: random.of(['x86_64', 'i686', 'noarch', null]),
      module: random.of([null, null, 'perl:5.26', 'perl:5.30:820', 'perl']),
      pocket: random.of([null, 'security', 'esm-infra', 'fips', 'backports']),
    })),
  }));
}

/** Evidence shows the first of two packages with one version. */
const inNameOrder = (machine: Machine): Machine => ({
  ...machine,
  packages: machine.packages.toSorted((a, b) => {
    const [one, other] = [a, b].map(
      ({ name, version, architecture }) => `${name} ${version} ${architecture ?? ''}`,
    );
    return (one ?? '') < (other ?? '') ? -1 : Number(one !== other);
  }),
});

const toFinding = (verdict: RecordVerdict | undefined): MissingFinding | null =>
  verdict === undefined || verdict.kind === 'notMissing' || verdict.kind === 'notJudged'
    ? null
    : {
        state: verdict.kind,
        reason: verdict.kind === 'uncertain' ? verdict.reason : null,
        evidence: verdict.evidence,
      };

const inOrder = (finding: MissingFinding | null) =>
  finding && {
    ...finding,
    evidence: finding.evidence.map((one) => JSON.stringify(one)).toSorted(),
  };

test.each(['rpm', 'deb'] as const)(
  'finds the same missing records for a machine of %s and its parts',
  (family) => {
    let found = 0;
    for (let seed = 1; seed <= 3000; seed += 1) {
      const random = randomFrom(seed);
      const machine = inNameOrder(family === 'rpm' ? rpmMachine(random) : debMachine(random));
      const records = recordsFor(random, family);
      const release = cataloguedRelease(machine);
      if (release === null) throw new Error('The release is catalogued');
      const complete = judgePackages(machine, release, records);
      const parts = inventoryParts(machine);
      for (const record of records) {
        const byPart = parts.flatMap((part) => {
          const own = cataloguedRelease(part.machine);
          expect(own).toEqual(release);
          // Judges only parts with a name of the record, as the server does.
          const concerned = record.fixes.some(({ name }) =>
            namesOfFix(name).some((one) => part.names.includes(one)),
          );
          if (!concerned || own === null) return [];
          return toFinding(judgePackages(part.machine, own, [record]).get(record.key)) ?? [];
        });
        const expected = inOrder(toFinding(complete.get(record.key)));
        if (expected !== null) found += 1;
        expect({ seed, record, ...inOrder(combinedFinding(byPart)) }).toEqual({
          seed,
          record,
          ...expected,
        });
      }
    }
    expect(found).toBeGreaterThan(1000);
  },
);

test('finds the same missing applications for a machine and its parts', () => {
  let found = 0;
  for (let seed = 1; seed <= 2000; seed += 1) {
    const random = randomFrom(seed);
    const names = ['7-Zip', '7-Zip 23.01 (x64)', 'Git', 'Git 2.4', 'Firefox'];
    const codes = ['7zip.7zip', 'Git.Git', 'ARP\\Machine\\X64\\{1}', null];
    const versions = ['1.0', '2.0', '23.01', null, 'unknown'];
    const machine: Machine = {
      ...empty,
      platform: 'windows',
      build: '10.0.20348.1',
      applications: Array.from({ length: random.below(6) }, () => ({
        name: random.of(names),
        identifier: random.of(codes),
        version: random.of(versions),
      })),
    };
    const release = {
      key: 'thirdparty_patch 1',
      name: random.of(names),
      identifier: random.of(['7zip.7zip', 'Git.Git', null]),
      productCodes: random.of([[], ['{1}'], ['{2}']]),
      version: random.of(versions),
    };
    const judged = (one: Machine) =>
      toFinding(judgeApplication(release, new InstalledApplications(one.applications)));
    const parts = inventoryParts(machine).filter(({ kind }) => kind === 'applications');
    const complete = judged(machine);
    if (complete !== null) found += 1;
    const byPart = parts.flatMap((part) => {
      const finding = judged(part.machine);
      return finding === null ? [] : [JSON.stringify(inOrder(finding))];
    });
    const expected = complete === null ? [] : [JSON.stringify(inOrder(complete))];
    // A release that identifies one application by its code and another by its name is judged by the code: docs/decisions/050.
    const byName = release.identifier === null && release.productCodes.length === 0;
    const compared = byName ? byPart : byPart.filter((one) => expected.includes(one));
    expect({ seed, compared }).toEqual({ seed, compared: expected });
  }
  expect(found).toBeGreaterThan(100);
});

test('shares parts between machines of one image, whatever their order and point release', () => {
  const packages = rpmMachine(randomFrom(7)).packages;
  const one = inventoryParts({ ...empty, distribution: 'almalinux', release: '8.9', packages });
  const other = inventoryParts({
    ...empty,
    distribution: 'almalinux',
    release: '8.10',
    kernel: '4.18.0-553.el8_10.x86_64',
    packages: packages.toReversed(),
  });
  const texts = (parts: typeof one) => parts.map((part) => JSON.stringify(part)).toSorted();
  expect(texts(other)).toEqual(texts(one));
});

test('makes one part of Windows and separate parts of its applications', () => {
  const parts = inventoryParts({
    ...empty,
    platform: 'windows',
    distribution: 'Microsoft Windows Server 2022 Standard',
    build: '10.0.20348.2340',
    kbs: ['5036909', '890830'],
    applications: [
      { name: 'Git', identifier: 'Git.Git', version: '2.40' },
      { name: 'Git 2.40', identifier: null, version: '2.40' },
      { name: '7-Zip', identifier: '7zip.7zip', version: '23.01' },
    ],
  });
  expect(parts.map(({ kind, scope, names }) => ({ kind, scope, names }))).toEqual([
    { kind: 'windows', scope: 'windows server 2022 (any)', names: [] },
    { kind: 'applications', scope: '', names: ['git', 'git 2.40', 'git.git'] },
    { kind: 'applications', scope: '', names: ['7-zip', '7zip.7zip'] },
  ]);
  expect(parts[0]?.machine.kbs).toEqual(['890830', '5036909']);
});
