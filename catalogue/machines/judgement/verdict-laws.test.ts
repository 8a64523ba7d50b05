/**
 * Invariants of every judgement: each item that was read has one of six verdicts, and no evidence has a higher version installed
 * than fixed.
 */
import { existsSync, readdirSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareDpkgVersions } from '../../schemas/dpkg-version.ts';
import { compareRpmVersions } from '../../schemas/rpm-version.ts';
import { feedMirror } from '../../testing/describe-with-mirror.ts';
import { describeWithInventories, inventoryFile } from '../../testing/machine-inventories.ts';
import { compareVersions } from '../../vendors/thirdparty/version-numbers.ts';
import { inventoryText } from '../inventory/inventory-text.ts';
import { readInventory } from '../inventory/read-inventory.ts';
import type { Machine } from '../machine.ts';
import { maybe, one, randomCutPackage, randomRecord } from '../testing/random-packages.ts';
import { InstalledApplications, judgeApplication } from './application-judgement.ts';
import { applicationVerdicts } from './application-verdicts.ts';
import type { PackageRecord, RecordVerdict, WindowsUpdate } from './machine-fixes.ts';
import { judgeMacRelease } from './macos-judgement.ts';
import { judgeItems } from './testing/judged-machine.ts';
import { countVerdicts, type JudgedItem } from './verdict.ts';
import { windowsBuild } from './windows-builds.ts';
import { judgeWindows } from './windows-judgement.ts';
import { kbVerdicts } from './windows-verdicts.ts';

type Compare = (a: string, b: string) => number;

function expectOrdered(records: Iterable<RecordVerdict>, compare: Compare): number {
  let found = 0;
  for (const record of records) {
    if (record.kind === 'notMissing' || record.kind === 'notJudged') continue;
    for (const { installed, fixed } of record.evidence) {
      expect(compare(installed, fixed), `${installed} → ${fixed}`).toBeLessThan(0);
      found += 1;
    }
  }
  return found;
}

function expectSum(items: readonly JudgedItem[], read: number): void {
  const { fixed, missing, uncertain, notJudged, noAdvisory, noFix, compared } =
    countVerdicts(items);
  expect(fixed + missing + uncertain + notJudged + noAdvisory + noFix).toBe(read);
  expect(compared + notJudged + noAdvisory).toBe(read);
}

function judged(
  machine: Pick<Machine, 'packages' | 'kernel' | 'distribution' | 'release'>,
  records: readonly PackageRecord[],
  unfixed: readonly string[],
) {
  const { release, verdicts, items } = judgeItems(machine, records, unfixed);
  const compare = release.family === 'rpm' ? compareRpmVersions : compareDpkgVersions;
  const evidence = expectOrdered(verdicts.values(), compare);
  expectSum(items, machine.packages.length);
  return { items, evidence };
}

describe('random inventories', () => {
  it.each([
    ['rpm', 'almalinux', '8.9'],
    ['rpm', 'centos', '7.9'],
    ['rpm', 'ol', '8.10'],
    ['deb', 'debian', '12'],
    ['rpm', 'rocky', '9.4'],
    ['rpm', 'opensuse-leap', '15.6'],
    ['rpm', 'amzn', '2023'],
    ['deb', 'ubuntu', '22.04'],
    ['deb', 'pardus', '23'],
  ] as const)('keep the laws with packages of %s on %s', (format, distribution, release) => {
    fc.assert(
      fc.property(
        fc.array(randomCutPackage(format), { maxLength: 12 }),
        fc.array(randomRecord(format), { maxLength: 6 }),
        maybe(one('5.15.0-3.el8uek')),
        (packages, records, kernel) => {
          const { items } = judged({ packages, kernel, distribution, release }, records, [
            'openssl',
          ]);
          expect(items).toHaveLength(packages.length);
        },
      ),
      { numRuns: 300 },
    );
  });

  const lines = one(
    'Cumulative update',
    'Monthly rollup',
    'Security only',
    'Hotpatch',
    'Preview',
    'Out-of-band',
    'Servicing stack',
    'Standalone update',
    'Separate update',
    'Internet Explorer',
    '.NET',
    'Security update',
  );
  const kb = fc.integer({ min: 5_000_001, max: 5_000_012 }).map(String);
  const build = fc.integer({ min: 1, max: 9 });
  const branch = one('10.0.20348', '10.0.26100', '0.0.26200', '6.3.9600');
  const update: fc.Arbitrary<WindowsUpdate> = fc.record({
    key: fc.uuid(),
    kb,
    line: lines,
    fixedBuilds: fc.array(
      fc.tuple(branch, build).map(([release, revision]) => `${release}.${revision}`),
      { maxLength: 2 },
    ),
    supersededBy: fc.array(kb, { maxLength: 2 }),
    releaseDate: maybe(build.map((month) => Date.UTC(2024, month, 9))),
  });

  it('keep the invariants with updates of Windows', () => {
    const compare: Compare = (a, b) => {
      const [from, to] = [windowsBuild(a), windowsBuild(b)];
      if (from === null || to === null) return a === 'not listed' && b.startsWith('KB') ? -1 : 1;
      if (from.branch !== to.branch) return 1;
      return from.revision === null || to.revision === null ? -1 : from.revision - to.revision;
    };
    fc.assert(
      fc.property(
        fc.array(update, { maxLength: 8 }),
        branch,
        maybe(build),
        fc.uniqueArray(kb, { maxLength: 5 }),
        (updates, release, revision, kbs) => {
          const machine = { build: revision === null ? release : `${release}.${revision}`, kbs };
          const records = judgeWindows(machine, updates);
          expect(records.size).toBe(updates.length);
          expectOrdered(records.values(), compare);
          expectSum(kbVerdicts(machine, { product: 'Windows', updates, records }), kbs.length);
        },
      ),
      { numRuns: 1000 },
    );
  });

  const applicationName = one('7-Zip 23.01 (x64)', '7-Zip 22.00', 'Git', 'Mozilla Firefox');
  const identifier = maybe(one('7zip.7zip', 'Git.Git', 'ARP\\\\Machine\\\\X64\\\\{1}'));
  const version = one('1.9', '1.10', '2.0', '< 2.0', '> 1.9', '140.5.0esr', 'Unknown');

  it('keep the invariants with applications, several versions of one among them', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ name: applicationName, identifier, version: maybe(version) }), {
          maxLength: 6,
        }),
        fc.array(
          fc.record({
            key: fc.uuid(),
            name: applicationName,
            identifier,
            productCodes: fc.array(one('{1}', '{2}'), { maxLength: 1 }),
            version: maybe(one('1.9', '1.10', '2.0', '140.5.0')),
          }),
          { maxLength: 4 },
        ),
        (applications, releases) => {
          const found = new InstalledApplications(applications);
          const records = releases.map((release) => judgeApplication(release, found));
          const items = applicationVerdicts(applications, releases);
          expectOrdered(records, (a, b) =>
            a.startsWith('<') ? -1 : compareVersions(a.replace(/^> /, ''), b),
          );
          expectSum(items, applications.length);
          expect(items.some(({ verdict }) => verdict.kind === 'missing')).toBe(
            records.some(({ kind }) => kind === 'missing'),
          );
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('keep the invariants with releases of macOS', () => {
    const macVersion = one('13.6', '13.6.4', '14.3', '14.3.1', '10.15.7', '10.14.6', '26');
    const macBuild = maybe(one('22G436', '22G513', '23D56', '23D60', '23D2060', '19H15', 'x'));
    fc.assert(
      fc.property(
        fc.array(fc.record({ key: fc.uuid(), version: maybe(macVersion), build: macBuild }), {
          maxLength: 5,
        }),
        maybe(macVersion),
        macBuild,
        (releases, release, installedBuild) => {
          const records = releases.map((offered) =>
            judgeMacRelease(offered, { release, build: installedBuild }),
          );
          expectOrdered(records, (a, b) => {
            const [[from = '', fromBuild = ''], [to = '', toBuild = '']] = [a, b].map((text) =>
              text.replace(')', '').split(' ('),
            ) as [string[], string[]];
            return compareVersions(from, to) || (fromBuild < toBuild ? -1 : 1);
          });
          const isKnown = (index: number) => release !== null && releases[index]?.version !== null;
          expect(records.map(({ kind }) => kind !== 'notJudged')).toEqual(
            records.map((_, index) => isKnown(index)),
          );
        },
      ),
      { numRuns: 1000 },
    );
  });
});

const folders = new URL('../inventories/', feedMirror);
const inventories = existsSync(folders)
  ? readdirSync(folders, { recursive: true, encoding: 'utf8' }).filter((file) =>
      /(?:rpm-qa|rpm-qa-qf|dpkg-\S+|systeminfo|get-hotfix|wmic-qfe|sbom.*|cyclonedx.*|spdx.*)\.(?:txt|json)$/.test(
        file,
      ),
    )
  : [];

describeWithInventories('inventories of machines', () => {
  it.each(inventories)('keep the invariants in %s', (file) => {
    const folder = file.replace(/[^/]+$/, '');
    const system = ['os-release', 'uname-r.txt']
      .filter((name) => existsSync(new URL(`${folder}${name}`, folders)))
      .map((name) => inventoryText(inventoryFile(`${folder}${name}`)));
    const { machine } = readInventory([...system, inventoryText(inventoryFile(file))].join('\n'));
    const { packages, kbs, applications } = machine;
    // A fix for every third package: of the next version, of this one, of another architecture.
    const records = packages
      .filter((_, index) => index % 3 === 0)
      .map(
        ({ name, version, architecture }, index): PackageRecord => ({
          key: String(index),
          retracted: false,
          livepatch: false,
          fixes: [
            {
              by: 'binary',
              name,
              version: index % 2 === 0 ? `${version}.1` : version,
              architecture: index % 5 === 0 ? 's390x' : architecture,
              module: null,
              pocket: null,
            },
          ],
        }),
      );
    const found = packages.length === 0 ? null : judged(machine, records, []);
    const counts = countVerdicts(found?.items ?? []);
    const isPositive = [
      found?.evidence ?? 0,
      counts.missing,
      counts.notJudged + counts.noAdvisory,
    ].every((count) => count > 0);
    expect(isPositive).toBe(packages.length > 0);
    expectSum(
      kbVerdicts(machine, { product: 'Windows', updates: [], records: new Map() }),
      kbs.length,
    );
    expectSum(applicationVerdicts(applications, []), applications.length);
    expect(packages.length + kbs.length + applications.length).toBeGreaterThan(0);
  });
});
