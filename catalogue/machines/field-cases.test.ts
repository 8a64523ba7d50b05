/** Field cases: inventories from reports of faults, judged by the fixes that each report names. */
import { expect, it } from 'vitest';
import { collect } from '../testing/collect.ts';
import { documentFrom } from '../testing/document-from.ts';
import { ubuntuNoticePart } from '../vendors/ubuntu/ubuntu-notice-part.ts';
import { inventoryAdvice } from './inventory/inventory-advice.ts';
import { readInventory } from './inventory/read-inventory.ts';
import { applicationVerdicts } from './judgement/application-verdicts.ts';
import { cataloguedRelease } from './judgement/catalogued-release.ts';
import type { PackageRecord } from './judgement/machine-fixes.ts';
import { packageRecord } from './judgement/package-record.ts';
import {
  buildRecord,
  buildUpdate,
  type Fix,
  formatVerdict,
  judgeItems,
} from './judgement/testing/judged-machine.ts';
import type { JudgedItem } from './judgement/verdict.ts';
import { judgeWindows } from './judgement/windows-judgement.ts';
import { describeWithFieldCases, fieldCase } from './testing/field-case.ts';

const formatItem = ({ name, verdict }: JudgedItem) =>
  [name, verdict.kind, ...('reason' in verdict ? [verdict.reason] : [])].join(' ');

/** Judges packages; each record is one fix, unless records are given. */
function judge(
  text: string,
  fixes: readonly Fix[],
  records: readonly PackageRecord[] = fixes.map((fix, index) =>
    buildRecord([fix], { key: String(index) }),
  ),
) {
  const reading = readInventory(text);
  const { verdicts, items } = judgeItems(reading.machine, records);
  return {
    items: items.map(formatItem),
    records: [...verdicts.values()].map(formatVerdict).filter((line) => line !== 'notMissing'),
    advice: inventoryAdvice(reading).map(({ kind }) => kind),
  };
}

const rsyslog = { name: 'rsyslog', version: '8.24.0-57.0.3.el7_9.3', architecture: 'x86_64' };
const onArm = { ...rsyslog, version: '8.24.0-57.0.4.el7_9.3', architecture: 'aarch64' };
const sudo = { name: 'sudo', architecture: 'x86_64' };
const sources: readonly Fix[] = [
  { by: 'source', name: 'samba', version: '2:4.17.12+dfsg-0+deb12u1' },
  { by: 'source', name: 'linux', version: '6.12.74-1' },
  { by: 'source', name: 'openssl', version: '3.0.11-1~deb12u2' },
];

const update = (kb: string, line: string, build: string | null, releaseDate: number) =>
  buildUpdate(kb.replace('KB', ''), {
    key: kb,
    line,
    fixedBuilds: build === null ? [] : [build],
    releaseDate,
  });
const september = Date.UTC(2023, 8, 12);
const updates = [
  update('KB5030216', 'Cumulative update', '10.0.20348.1970', september),
  update('KB5030325', 'Hotpatch', '10.0.20348.1964', september),
  update('KB5034770', 'Cumulative update', '10.0.20348.2322', Date.UTC(2024, 1, 13)),
  update('KB5022303', 'Security update', '10.0.22621.1105', Date.UTC(2023, 0, 10)),
  update('KB5030211', 'Cumulative update', '10.0.19045.3448', september),
  update('KB5034763', 'Cumulative update', '10.0.19045.4046', Date.UTC(2024, 1, 13)),
  update('KB5030220', 'Security update', null, Date.UTC(2023, 6, 11)),
  update('KB5030213', 'Cumulative update', '10.0.14393.6252', september),
  update('KB5030265', 'Monthly rollup', null, september),
  update('KB5066791', 'Cumulative update', '10.0.19045.6456', Date.UTC(2025, 9, 14)),
  update('KB5094127', 'Cumulative update', '10.0.19045.7417', Date.UTC(2026, 4, 12)),
];

describeWithFieldCases('field cases', () => {
  it.each([
    ['03-ol7-x86_64.txt', [rsyslog, onArm], ['rsyslog fixed'], []],
    ['03-ol7-aarch64.txt', [rsyslog, onArm], ['rsyslog missing'], []],
    [
      '03-ol7-arch-unknown.txt',
      [rsyslog, onArm],
      ['rsyslog uncertain architectureUnstated'],
      ['noArchitectures'],
    ],
    ...['05-libldb-old-dpkg-l.txt', '05-libldb-fixed-dpkg-l.txt'].map(
      (file) => [file, sources, ['libldb2 notJudged sourceUnknown'], ['noSourcePackages']] as const,
    ),
    [
      '05-no-upstream.cdx.json',
      sources,
      ['libssl3 notJudged sourceUnknown', 'gpgv notJudged sourceUnknown'],
      ['noSourcePackages'],
    ],
    ...['06-bpo-old.txt', '06-bpo-fixed.txt'].map(
      (file) =>
        [file, sources, [expect.stringMatching(/ notJudged otherRepository$/)], []] as const,
    ),
    [
      '13-ol8-sudo.txt',
      [
        { ...sudo, version: '1.9.5p2-1.el8_9' },
        { ...sudo, version: '1.9.5p2-10.el9_3' },
      ],
      ['sudo fixed'],
      [],
    ],
    [
      'R2-dpkg-l-80-columns.txt',
      sources,
      [
        'linux-image-6. notJudged cutColumns',
        'openssh-server notJudged cutColumns',
        'libwebp7 notJudged sourceUnknown',
      ],
      ['cutColumns'],
    ],
    [
      // The removed sudo is not among them.
      'R3-apt-list-fr-de.txt',
      sources,
      ['openssh-server', 'libwebp7', 'curl'].map((name) => `${name} notJudged sourceUnknown`),
      ['noSourcePackages'],
    ],
  ] as const)('judges the packages of %s', (file, fixes, items, advice) => {
    const judged = judge(fieldCase(file), fixes);
    expect(judged.items).toEqual(items);
    expect(judged.advice).toEqual(expect.arrayContaining([...advice]));
    expect(judged.records.map((line) => line.split(':')[0])).toEqual(
      judged.items.flatMap((item) => /(?:missing|uncertain .+)$/.exec(item)?.[0] ?? []),
    );
  });

  const toolsOf = (...versions: string[]) =>
    versions.map((version) => ({ name: 'bpftool', version, architecture: 'x86_64' }));

  it.each([
    [toolsOf('5.15.0-304.171.4.3.el8uek'), 'notJudged channelUnknown'],
    [toolsOf('5.15.0-304.171.4.3.el8uek', '4.18.0-553.40.1.el8_10'), 'fixed'],
    [toolsOf('5.15.0-304.171.4.3.el8uek', '4.18.0-553.45.1.el8_10'), 'missing'],
  ])('compares the bpftool of 36-ol8-rhck-only.txt with its own channel: %j', (fixes, expected) => {
    expect(judge(fieldCase('36-ol8-rhck-only.txt'), fixes).items.at(-1)).toBe(
      `bpftool ${expected}`,
    );
  });

  it('judges no package of an architecture that the records lack, but for noarch', () => {
    const text = fieldCase('03-ol7-x86_64.txt').replace('x86_64', 'ppc64le');
    expect(judge(text, [rsyslog, onArm]).items).toEqual([
      expect.stringMatching(/^rsyslog notJudged /),
    ]);
    expect(judge(text.replace('ppc64le', 'noarch'), [rsyslog, onArm]).items).toEqual([
      'rsyslog missing',
    ]);
  });

  it('misses neither notice of 14-usn-string-cves.json, whose CVEs are text', async () => {
    const releases = [{ codename: 'noble', version: '24.04', support_tag: 'LTS' }];
    const notices = ['8706-1', '8705-1'].map((id) => ({ id: `USN-${id}`, releases }));
    const documents = [
      documentFrom(
        'https://ubuntu.com/security/notices.json?limit=20&offset=0&order=newest',
        JSON.stringify({ notices, offset: 0, total_results: 2 }),
      ),
      documentFrom(
        'https://usn.ubuntu.com/usn-db/database.json.bz2',
        fieldCase('14-usn-string-cves.json'),
      ),
    ];
    const text = fieldCase('14-noble-zlib.txt');
    const release = cataloguedRelease(readInventory(text).machine);
    const items = await collect(ubuntuNoticePart.read({ documents, isComplete: true }));
    const records = items.flatMap((item) =>
      item.kind === 'entry' && release !== null ? (packageRecord(item, release) ?? []) : [],
    );
    expect(judge(text, [], records).records.toSorted()).toEqual([
      'missing: jq 1.7.1-3build1 → 1.7.1-3ubuntu0.24.04.9',
      'missing: zlib1g 1:1.3.dfsg-3.1ubuntu2.1 → 1:1.3.dfsg-3.1ubuntu2.9',
    ]);
  });

  it.each([
    ['09-azure-hotpatched.txt', { KB5030216: 'notMissing', KB5030325: 'notMissing' }],
    ['09-ordinary-2022.txt', { KB5030216: 'notMissing', KB5030325: 'notMissing' }],
    [
      '09-azure-hotpatched.txt',
      { KB5034770: 'missing: KB5034770 10.0.20348.1964 → 10.0.20348.2322' },
    ],
    ['10-server2022-jan2023.txt', { KB5022303: 'notJudged otherBranch' }],
    ['11-systeminfo-275-cut.txt', { KB5030265: expect.stringMatching(/^uncertain /) }],
    [
      '11-systeminfo-en.txt',
      { KB5030211: 'notMissing', KB5034763: expect.stringMatching(/^missing: /) },
    ],
    ['R5-server2016-patched.txt', { KB5030220: 'notMissing' }],
    [
      '38-w10-22h2-pro.txt',
      {
        KB5066791: 'notMissing',
        KB5094127: 'needsSubscription: KB5094127 10.0.19045.6456 → 10.0.19045.7417',
      },
    ],
  ])('judges the updates of %s: %j', (file, expected) => {
    const { machine } = readInventory(fieldCase(file));
    const verdicts = judgeWindows(machine, updates);
    expect(
      Object.fromEntries([...verdicts].map(([key, found]) => [key, formatVerdict(found)])),
    ).toMatchObject(expected);
  });

  it('says that the list of hotfixes of 11-systeminfo-275-cut.txt was cut', () => {
    const reading = readInventory(fieldCase('11-systeminfo-275-cut.txt'));
    expect(reading.machine.unlistedKbs).toBe(48);
    expect(reading.unreadable).toMatchObject([
      { reason: 'The number of this hotfix is incomplete' },
    ]);
    expect(inventoryAdvice(reading).map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['unlistedHotfixes', 'cutOff']),
    );
  });

  const sevenZip = {
    key: '1',
    name: '7-Zip',
    identifier: '7zip.7zip',
    productCodes: [],
    version: '24.09',
  };
  const judgeApplications = (text: string) =>
    applicationVerdicts(readInventory(text).machine.applications, [sevenZip]).map(formatItem);

  it.each([
    ['12-winget-plain-unknown-mid.txt', 0, ['Contoso Sync Agent', 'Notepad++ (64-bit x64)', 'Git']],
    [
      '12-winget-en-control.txt',
      1,
      ['Notepad++ (64-bit x64)', 'Visual Studio BuildTools 2022', 'Microsoft To Do', 'Git'],
    ],
    [
      '12-winget-en-mojibake.txt',
      1,
      [
        'Contoso Sync ≡ƒÜÇ Agent',
        'Notepad++ (64-bit x64)',
        'Visual Studio BuildTools 2022',
        'Microsoft To Do',
        'Git',
      ],
    ],
  ])('reads every complete row of %s', (file, unreadableLines, names) => {
    const reading = readInventory(fieldCase(file));
    expect(reading.unreadableLines).toBe(unreadableLines);
    expect(reading.machine.applications.map(({ name }) => name)).toEqual([
      '7-Zip 23.01 (x64)',
      ...names,
    ]);
    expect(judgeApplications(fieldCase(file))[0]).toBe('7-Zip 23.01 (x64) missing');
  });

  it.each([
    ['23.01   24.09     winget', 'missing'],
    ['99.01', 'fixed'],
    ['latest', 'notJudged versionUnknown'],
    ['< 23.01', 'missing'],
    ['> 23.01', 'uncertain versionBound'],
  ])('judges the version "%s" of winget as %s', (version, expected) => {
    const table = [
      'Name                   ID                          Version Verfügbar Quelle',
      '---------------------------------------------------------------------------',
      `7-Zip 🚀 (x64)         7zip.7zip                   ${version}`,
      '',
    ];
    expect(judgeApplications(table.join('\n'))).toEqual([`7-Zip 🚀 (x64) ${expected}`]);
  });
});
