/** Compares verdicts of parts with verdicts of machines, for random machines and records of every family. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  InstalledApplications,
  judgeApplication,
} from '../machines/judgement/application-judgement.ts';
import { cataloguedRelease } from '../machines/judgement/catalogued-release.ts';
import { judgePackages } from '../machines/judgement/judge-packages.ts';
import type { LackingVerdict, RecordVerdict } from '../machines/judgement/machine-fixes.ts';
import type { Machine } from '../machines/machine.ts';
import {
  type Format,
  maybe,
  one,
  randomPackage,
  randomRecord,
  withoutSources,
} from '../machines/testing/random-packages.ts';
import { inventoryParts, namesOfFix } from './inventory-part.ts';
import { missingStates } from './missing-finding.ts';

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

/** Machines of catalogued releases, by the format of their packages. */
const releases = {
  rpm: [
    { distribution: 'ol', release: '8.9' },
    { distribution: 'centos', release: '7.9' },
    { distribution: 'almalinux', release: '8.10' },
  ],
  deb: [
    { distribution: 'debian', release: '11.2' },
    { distribution: 'ubuntu', release: '22.04' },
  ],
} as const;

const randomMachine = (format: Format): fc.Arbitrary<Machine> =>
  fc
    .record({
      of: one<(typeof releases)[Format][number]>(...releases[format]),
      kernel: maybe(one('5.4.17-1.el8uek.x86_64', '4.18.0-1.el8.x86_64')),
      packages: fc.array(randomPackage(format), { minLength: 3, maxLength: 8 }),
      hasSources: fc.boolean(),
    })
    .map(({ of, kernel, packages, hasSources }) => ({
      ...empty,
      ...of,
      kernel: format === 'rpm' ? kernel : null,
      packages: hasSources ? packages : withoutSources(packages),
    }));

/** Evidence shows the first of two packages with one version. */
const inNameOrder = (machine: Machine): Machine => ({
  ...machine,
  packages: machine.packages.toSorted((a, b) => {
    const [left = '', right = ''] = [a, b].map(
      ({ name, version, architecture }) => `${name} ${version} ${architecture ?? ''}`,
    );
    return left < right ? -1 : Number(left !== right);
  }),
});

type MissingFinding = Omit<LackingVerdict, 'kind'> & {
  readonly state: LackingVerdict['kind'];
  readonly reason: string | null;
};

/** Combines the findings of several parts about one record: the most certain state counts, with its evidence only. */
function combineFindings(findings: readonly MissingFinding[]): MissingFinding | null {
  const state = missingStates.findLast((known) => findings.some((found) => found.state === known));
  if (state === undefined) return null;
  const own = findings.filter((found) => found.state === state);
  const reasons = own.flatMap(({ reason }) => reason ?? []).toSorted();
  return { state, reason: reasons[0] ?? null, evidence: own.flatMap(({ evidence }) => evidence) };
}

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
    evidence: finding.evidence.map((evidence) => JSON.stringify(evidence)).toSorted(),
  };

test.each(['rpm', 'deb'] as const)(
  'finds the same missing records for a machine of %s and its parts',
  (format) => {
    let found = 0;
    const holds = fc.property(
      randomMachine(format).map(inNameOrder),
      fc.uniqueArray(randomRecord(format), {
        minLength: 4,
        maxLength: 12,
        selector: ({ key }) => key,
      }),
      (machine, records) => {
        const release = cataloguedRelease(machine);
        if (release === null) throw new Error('The release is catalogued');
        const complete = judgePackages(machine, release, records);
        const parts = inventoryParts(machine);
        for (const part of parts) expect(cataloguedRelease(part.machine)).toEqual(release);
        for (const record of records) {
          // Judges only parts with a name of the record, as the server does.
          const names = record.fixes.flatMap(({ name }) => namesOfFix(name));
          const byPart = parts
            .filter((part) => names.some((name) => part.names.includes(name)))
            .flatMap(
              (part) =>
                toFinding(judgePackages(part.machine, release, [record]).get(record.key)) ?? [],
            );
          const expected = inOrder(toFinding(complete.get(record.key)));
          if (expected !== null) found += 1;
          expect(inOrder(combineFindings(byPart))).toEqual(expected);
        }
      },
    );
    fc.assert(holds, { numRuns: 4000 });
    expect(found).toBeGreaterThan(1000);
  },
);

test('finds the same missing applications for a machine and its parts', () => {
  let found = 0;
  const name = one('7-Zip', '7-Zip 23.01 (x64)', 'Git', 'Git 2.4', 'Firefox');
  const version = maybe(one('1.0', '2.0', '23.01', 'unknown'));
  const application = fc.record({
    name,
    identifier: maybe(one('7zip.7zip', 'Git.Git', 'ARP\\Machine\\X64\\{1}')),
    version,
  });
  const release = fc.record({
    key: fc.constant('thirdparty_patch 1'),
    name,
    identifier: maybe(one('7zip.7zip', 'Git.Git')),
    productCodes: one<readonly string[]>([], ['{1}'], ['{2}']),
    version,
  });
  const holds = fc.property(
    fc.array(application, { maxLength: 5 }),
    release,
    (applications, offered) => {
      const judged = (machine: Machine) =>
        toFinding(judgeApplication(offered, new InstalledApplications(machine.applications)));
      const machine: Machine = {
        ...empty,
        platform: 'windows',
        build: '10.0.20348.1',
        applications,
      };
      const complete = inOrder(judged(machine));
      if (complete !== null) found += 1;
      const byPart = inventoryParts(machine)
        .filter(({ kind }) => kind === 'applications')
        .flatMap((part) => inOrder(judged(part.machine)) ?? [])
        .map((finding) => JSON.stringify(finding));
      const expected = complete === null ? [] : [JSON.stringify(complete)];
      // A release that identifies one application by its code and another by its name is judged by the code: docs/decisions/050.
      const byName = offered.identifier === null && offered.productCodes.length === 0;
      expect(byName ? byPart : byPart.filter((finding) => expected.includes(finding))).toEqual(
        expected,
      );
    },
  );
  fc.assert(holds, { numRuns: 2000 });
  expect(found).toBeGreaterThan(100);
});

test('shares parts between machines of one image, whatever their order and point release', () => {
  const packages = fc.sample(randomPackage('rpm'), { numRuns: 8, seed: 7 });
  const earlier = inventoryParts({
    ...empty,
    distribution: 'almalinux',
    release: '8.9',
    packages,
  });
  const later = inventoryParts({
    ...empty,
    distribution: 'almalinux',
    release: '8.10',
    kernel: '4.18.0-553.el8_10.x86_64',
    packages: packages.toReversed(),
  });
  const texts = (parts: typeof later) => parts.map((part) => JSON.stringify(part)).toSorted();
  expect(texts(later)).toEqual(texts(earlier));
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
