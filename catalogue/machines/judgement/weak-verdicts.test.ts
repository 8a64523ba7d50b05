/** Records are missing only when both versions can be compared; open cases are uncertain or not judged. */
import { describe, expect, it } from 'vitest';
import { planPackages } from '../install/install-plan.ts';
import { InstalledApplications, judgeApplication } from './application-judgement.ts';
import { cataloguedRelease } from './catalogued-release.ts';
import { indexFixes } from './indexed-fixes.ts';
import type { WindowsUpdate } from './machine-fixes.ts';
import { buildRecord, buildUpdate, formatVerdict, verdict } from './testing/judged-machine.ts';
import { judgeWindows } from './windows-judgement.ts';

describe('judgePackages', () => {
  // A vendor rebuilt the package for one architecture only.
  const rebuilt = (name: string, x86: string, arm: string) =>
    buildRecord([
      { name, version: x86, architecture: 'x86_64' },
      { name, version: arm, architecture: 'aarch64' },
    ]);
  it.each([
    ['ol', '7.9', 'rsyslog', '8.24.0-57.0.3.el7_9.3', '8.24.0-57.0.4.el7_9.3'],
    ['rocky', '8.9', 'openssl-libs', '1.1.1k-12.el8_9', '1.1.1k-14.el8_9'],
    ['almalinux', '9.4', 'grub2-tools', '2.06-77.el9', '2.06-77.el9.alma.1'],
  ])('distinguishes architectures of %s %s %s', (id, release, name, x86, arm) => {
    const judged = (line: string) =>
      formatVerdict(verdict(`ID=${id}\nVERSION_ID=${release}\n${line}`, rebuilt(name, x86, arm)));
    expect(judged(`${name}-${x86}.x86_64`)).toBe('notMissing');
    expect(judged(`${name}-${x86}.aarch64`)).toBe(`missing: ${name} ${x86} → ${arm}`);
    expect(judged(`${name}-${x86}`)).toBe(
      `uncertain architectureUnstated: ${name} ${x86} → ${arm}`,
    );
    expect(judged(`${name}-${x86}.ppc64le`)).toBe('notMissing');
  });

  it('judges no version that may be cut', () => {
    const record = buildRecord([{ name: 'kernel', version: '4.18.0-513.9.1.el8_9' }]);
    const judged = (end: string) =>
      formatVerdict(
        verdict(
          `ID=almalinux\nVERSION_ID=8.9\nbash-4.4.20-4.el8_6.x86_64\nkernel-4.18.0-513.5.1.el8_9${end}`,
          record,
        ),
      );
    expect(judged('.x86_64')).toBe('missing: kernel 4.18.0-513.5.1.el8_9 → 4.18.0-513.9.1.el8_9');
    expect(judged('.x86_6')).toBe('notMissing');
  });

  it.each([
    ['ol', '8.10', 'sudo-1.9.5p2-1.el8_10.1.x86_64', '1.9.5p2-10.el9_3'],
    ['rocky', '9.3', 'zlib-1.2.11-40.el9.x86_64', '1.2.12-1.el10'],
    ['amzn', '2', 'curl-8.3.0-1.amzn2.0.6.x86_64', '8.5.0-1.amzn2023.0.4'],
    ['centos', '7', 'vendor-tool-1.0-1.x86_64', '1.1-1.el8'],
  ])(
    'never compares builds of %s %s with builds of a sibling release',
    (id, release, line, version) => {
      const name = line.replace(/-\d.*/, '');
      const record = buildRecord([{ name, version, architecture: 'x86_64' }]);
      expect(formatVerdict(verdict(`ID=${id}\nVERSION_ID=${release}\n${line}`, record))).toBe(
        'notMissing',
      );
    },
  );

  it.each([
    [
      'libldb2',
      '2:2.6.2+samba4.17.9+dfsg-0+deb12u3',
      '2:2.6.2+samba4.17.12+dfsg-0+deb12u1',
      'samba',
      '2:4.17.9+dfsg-0+deb12u3',
      '2:4.17.10+dfsg-0+deb12u1',
      '2:4.17.12+dfsg-0+deb12u1',
    ],
    ['libuuid1', '2.38.1-5+b1', '2.38.1-5+deb12u3', 'util-linux', '3:0.1-5', '3:0.2-5', '3:0.3-5'],
  ])('plans %s by versions of one kind', (name, own, fixed, source, from, older, newer) => {
    const inventory = `ID=debian\nVERSION_ID=12\n${name} ${own} amd64 ii  ${source} ${from}`;
    const judged = [
      buildRecord([{ by: 'source', name: source, version: older }], { key: 'older' }),
      buildRecord(
        [
          { by: 'source', name: source, version: newer },
          { name, version: fixed },
        ],
        { key: 'newer' },
      ),
    ].map((record) => ({ key: record.key, found: verdict(inventory, { ...record, key: 'one' }) }));
    const missing = judged.map(({ key, found }) => ({
      key,
      evidence: found.kind === 'missing' ? found.evidence : [],
    }));
    expect(missing[1]?.evidence).toMatchObject([{ installed: own, fixed }]);
    expect(planPackages(missing, 'deb').map(({ key }) => key)).toEqual(['newer']);
  });
});

describe('cataloguedRelease', () => {
  it.each(['8', '9'])('judges advisories of a group within Rocky Linux %s as its own', (number) => {
    const release = cataloguedRelease({ distribution: 'rocky', release: `${number}.4` });
    const stored = (osVersion: string) => ({
      key: 'RXSA',
      row: { osVersion: [osVersion] },
      detail: {
        packages: [
          { name: 'bpftool', version: `4.18-9.el${number}.cloud.0.1`, architecture: 'x86_64' },
        ],
      },
    });
    const record = stored(`Rocky Linux SIG Cloud ${number}`);
    expect(release?.names).toContain(indexFixes(record)[0]?.release);
    const judged = (version: string) =>
      formatVerdict(
        verdict(
          `ID=rocky\nVERSION_ID=${number}.4\nbpftool-${version}.x86_64`,
          buildRecord([
            { name: 'bpftool', version: `4.18-9.el${number}.cloud.0.1`, architecture: 'x86_64' },
          ]),
        ),
      );
    expect(judged(`4.18-8.el${number}`)).toMatch(/^missing/);
    expect(judged(`4.18-9.el${number}`)).toBe('notMissing');
    expect(judged(`4.18-9.el${number}.cloud`)).toMatch(/^missing/);
  });
});

describe('judgeWindows', () => {
  const september = Date.UTC(2023, 8, 12);
  const update = (
    kb: string,
    line: string,
    build: string | null,
    releaseDate: number | null = null,
  ) => buildUpdate(kb, { line, fixedBuilds: build === null ? [] : [build], releaseDate });
  const judged = (machine: Parameters<typeof judgeWindows>[0], updates: readonly WindowsUpdate[]) =>
    Object.fromEntries(
      [...judgeWindows(machine, updates)].map(([key, found]) => [key, formatVerdict(found)]),
    );

  it.each([
    ['by their month', september],
    ['by the next higher build', null],
  ])('treats a hotpatch and a cumulative update as alternatives %s', (_, date) => {
    const updates = [
      update(
        '5029250',
        'Cumulative update',
        '10.0.20348.1906',
        date === null ? null : date - 30 * 86_400_000,
      ),
      update('5030216', 'Cumulative update', '10.0.20348.1970', date),
      update('5030325', 'Hotpatch', '10.0.20348.1964', date),
    ];
    for (const machine of [
      { build: '10.0.20348.1964', kbs: ['5030325'] },
      { build: '10.0.20348', kbs: ['5030325'] },
      { build: '10.0.20348', kbs: ['5030216'] },
    ])
      expect(new Set(Object.values(judged(machine, updates)))).toEqual(new Set(['notMissing']));
    expect(judged({ build: '10.0.20348.1906', kbs: ['5029250'] }, updates)).toMatchObject({
      '5030216': 'missing: KB5030216 10.0.20348.1906 → 10.0.20348.1970',
      '5030325': 'notJudged hotpatch',
    });
  });

  it.each([
    ['5070892', '10.0.20348.4297', '10.0.20348.5139'],
    ['5070893', '10.0.26100.6905', '10.0.26100.32860'],
    ['5068840', '10.0.20348.4400', '10.0.20348.4400'],
  ])('fixes the stand-alone update KB%s by a higher build of its branch', (kb, fixed, build) => {
    const updates = [update(kb, 'Standalone update', fixed)];
    expect(judged({ build, kbs: ['1'] }, updates)).toEqual({ [kb]: 'notMissing' });
    const older = `${build.split('.').slice(0, 3).join('.')}.1`;
    expect(judged({ build: older, kbs: ['1'] }, updates)[kb]).toBe(
      `missing: KB${kb} ${older} → ${fixed}`,
    );
  });

  it.each([
    ['10.0.20348.1487', '10.0.22621.1105', 'notJudged otherBranch'],
    ['10.0.17763.1', '10.0.14393.9000', 'notJudged otherBranch'],
    ['10.0.26100.4652', '0.0.26200.4652', 'notMissing'],
    ['10.0.26100.4000', '0.0.26200.4652', 'missing: KB5 10.0.26100.4000 → 10.0.26100.4652'],
  ])('judges build %s by an update of %s as "%s"', (build, fixed, expected) => {
    expect(judged({ build, kbs: [] }, [update('5', 'Security update', fixed)])).toEqual({
      '5': expected,
    });
  });

  it.each(['10.0.14393', '10.0.17763'])(
    'fixes updates without a build by the day of a build that %s has',
    (release) => {
      const day = (month: number) => Date.UTC(2023, month, 10);
      const updates = [
        update('1', 'Security update', null, day(3)),
        update('2', 'Cumulative update', `${release}.6252`, day(8)),
        update('3', 'Security update', null, day(10)),
        update('4', 'Security update', null, null),
      ];
      expect(judged({ build: `${release}.6252`, kbs: [] }, updates)).toEqual({
        '1': 'notMissing',
        '2': 'notMissing',
        '3': 'uncertain updateWithoutBuild: KB3 not listed → KB3',
        '4': 'uncertain updateWithoutBuild: KB4 not listed → KB4',
      });
    },
  );

  it.each(['6.1.7601', '6.3.9600'])(
    'fixes earlier rollups without a build on %s by a later installed one',
    (build) => {
      const updates = [1, 2, 3].map((month) =>
        update(`400000${month}`, 'Monthly rollup', null, Date.UTC(2018, month, 10)),
      );
      expect(judged({ build, kbs: ['4000002'] }, updates)).toEqual({
        '4000001': 'notMissing',
        '4000002': 'notMissing',
        '4000003': 'uncertain updateWithoutBuild: KB4000003 not listed → KB4000003',
      });
    },
  );

  it('is uncertain when the list of hotfixes is incomplete, unless the revision is stated', () => {
    const updates = [update('5030216', 'Cumulative update', '10.0.20348.1970')];
    const kind = (build: string, more: object = {}) =>
      judged({ build, kbs: ['5012170'], ...more }, updates)['5030216']?.split(':')[0];
    expect(kind('10.0.20348', { unlistedKbs: 48 })).toBe('uncertain unlistedHotfixes');
    expect(kind('10.0.20348', { kbs: [] })).toBe('uncertain revisionUnstated');
    expect(kind('10.0.20348.1906', { unlistedKbs: 48 })).toBe('missing');
    expect(kind('10.0.20348')).toBe('missing');
  });
});

describe('judgeApplication', () => {
  const release = (version: string) => ({
    key: '1',
    name: 'Tool',
    identifier: 'Old.Tool',
    productCodes: [],
    version,
  });
  it.each([
    ['< 154.0', '154.0', 'missing'],
    ['< 154.0', '155.0', 'missing'],
    ['< 154.0', '153.0', 'uncertain'],
    ['> 153.0', '152.9', 'notMissing'],
    ['> 153.0', '153.0', 'notMissing'],
    ['> 153.0', '154.0', 'uncertain'],
  ])('judges the bound %s against %s as %s', (version, offered, kind) => {
    const installed = new InstalledApplications([
      { name: 'Tool', identifier: 'Old.Tool', version },
    ]);
    expect(judgeApplication(release(offered), installed).kind).toBe(kind);
  });
});
