import { expect, test } from 'vitest';
import type { Entry } from '../../definition/feed.ts';
import { collect } from '../../testing/collect.ts';
import { formatEntry, indexEntries } from '../../testing/feed-reader.ts';
import { contents, part, readings } from './testing/guide-fixtures.ts';

const entries = indexEntries(readings);

function found(key: string): Entry {
  const entry = entries.get(key);
  if (entry === undefined) throw new Error(`no ${key}`);
  return entry;
}

test('lists each KB for each of its products, sorted by KB and product', () => {
  expect([...entries.keys()]).toEqual([
    'KB4074700|10486-10048',
    'KB5090122|12097',
    'KB5090129|11923',
    'KB5090129|11924',
    'KB5090200|11923',
    'KB5090300|11650-12097',
    'KB5090400|10754',
    'KB5090401|10120',
    'KB5091763|12097',
    'KB5091800|11923',
    'KB5092845|12097',
    'KB5092900|11923',
    'KB5092901|11923',
    'KB5093100|12097',
  ]);
  expect(contents.isComplete).toBe(true);
});

test("collects a KB's fixes in the product over all documents, including those of a contained browser", () => {
  const name =
    '2024-01 Security Update for Windows 10 Version 22H2 for x64-based Systems (KB5090122)';
  const kb = formatEntry(found('KB5090122|12097'));
  expect(kb).toMatchObject({
    name,
    title: name,
    productName: 'Windows 10 Version 22H2 for x64-based Systems',
    paramName: 'windows-10-version-22h2-for-x64-based-systems',
    // From the newest document: the product has moved to extended updates since.
    productFamily: 'ESU',
    component: [
      'ASP.NET & Internet Explorer',
      'Internet Explorer 11',
      'Windows Kernel',
      'Windows Libarchive',
    ],
    kbId: 'KB5090122',
    severity: 'Critical',
    impact: 'Remote Code Execution',
    // Three of its five fixes are in this document; its date has no zone and is UTC.
    releaseDate: Date.UTC(2024, 0, 9, 8),
    latestKb: 'KB5093100',
    cve: ['CVE-2024-90009', 'CVE-2024-90010', 'CVE-2024-90011', 'CVE-2024-90100'],
    supersedes: ['KB5089372'],
    supersededBy: ['KB5091763'],
    superseded: true,
    architecture: ['x64'],
    restartBehaviour: 'Required',
    // Stated by the fourth CVE.
    exploited: true,
    uuid: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-5[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/),
    classification: 'Security Updates',
    updateType: 'Security Update',
    description:
      'Fixes 4 vulnerabilities in Windows 10 Version 22H2 for x64-based Systems: 1 critical, 3 important.\n' +
      'Components: ASP.NET & Internet Explorer, Internet Explorer 11, Windows Kernel, Windows Libarchive.',
    fixedBuild: ['10.0.19044.3930', '10.0.19045.3930'],
    line: 'Cumulative update',
    branch: '10.0.19045',
    kbIdToBeInstalled: 'KB5093100',
    installEvidence:
      'KB5091763 replaces it (security update guide, 2024-Feb; fixed builds). The chain of 3 KBs ends with KB5093100; no successor of that is known.',
    newestCumulativeKb: 'KB5091763',
    referenceLink: 'https://support.microsoft.com/help/5090122',
    downloadUrl: 'https://www.catalog.update.microsoft.com/Search.aspx?q=KB5090122',
  });
  // The third CVE has no statement.
  expect(kb).not.toHaveProperty('publiclyDisclosed');
  expect(kb).not.toHaveProperty('kbBaseId');
  expect(found('KB5090122|12097').detail).toMatchObject({
    supersedence: [
      {
        kbId: 'KB5093100',
        relation: 'Replaces it through others',
        releaseDate: Date.UTC(2024, 3, 9, 7),
        fixedBuild: null,
        replaces: ['KB5092845'],
        evidence: 'security update guide, 2024-Apr',
      },
      { kbId: 'KB5092845', replaces: ['KB5091763'], relation: 'Replaces it through others' },
      {
        kbId: 'KB5091763',
        relation: 'Replaces it directly',
        releaseDate: Date.UTC(2024, 1, 13, 8),
        replaces: ['KB5090122'],
      },
      { kbId: 'KB5089372', relation: 'Replaced directly', releaseDate: null, replaces: [] },
    ],
  });
});

test('rates a vulnerability for the product', () => {
  const vulnerabilities = found('KB5090122|12097').detail['vulnerabilities'];
  // Exploited vulnerabilities come first, then by severity.
  expect(vulnerabilities).toMatchObject([
    { cve: 'CVE-2024-90011' },
    {
      cve: 'CVE-2024-90009',
      title: 'Windows Libarchive Remote Code Execution Vulnerability',
      component: 'Windows Libarchive, Windows Kernel',
      severity: 'Critical',
      impact: 'Remote Code Execution',
      cvss: '9.8',
      vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H/E:U/RL:O/RC:C',
      exploited: 'Not exploited',
      cwe: ['CWE-416', 'CWE-1329'],
    },
    { cve: 'CVE-2024-90010' },
    {
      cve: 'CVE-2024-90100',
      title: 'Internet Explorer Security Feature Bypass & Spoofing',
      severity: 'Important',
      cvss: null,
      exploited: null,
    },
  ]);
  const rated = (key: string) => [found(key).row['severity'], found(key).row['impact']];
  expect(rated('KB5090129|11924')).toEqual(['Moderate', 'Elevation of Privilege']);
  expect(rated('KB5090300|11650-12097')).toEqual(['Low', 'Spoofing']);
});

test.each([
  [
    'KB5091763|12097',
    true,
    false,
    'Exploited, Exploitation Detected, Exploitation More Likely (older releases)',
  ],
  ['KB5090400|10754', null, null, null],
])(
  'states for each product whether %s is exploited and publicly disclosed',
  (key, exploited, publiclyDisclosed, words) => {
    const { row, detail } = found(key);
    expect(row).toMatchObject({ exploited, publiclyDisclosed });
    expect(detail).toMatchObject({ vulnerabilities: [{ exploited: words }] });
  },
);

test('lists known issues, questions, advice and weaknesses once, with their vulnerabilities', () => {
  const help = 'https://support.microsoft.com/help';
  expect(formatEntry(found('KB5090122|12097'))).toMatchObject({
    knownIssues: [
      `KB5090122 - ${help}/5090122 CVE-2024-90009,CVE-2024-90010`,
      // Named beside the fix, though it is for another product.
      `KB5090300 - ${help}/5090300 CVE-2024-90010`,
    ],
    advice: [
      'Mitigation Only systems that open archives are vulnerable.\n\nPS: Get-Service "archive" CVE-2024-90009',
    ],
    faq: [
      'How could an attacker exploit this vulnerability? An attacker has to win a race condition:\n\n- open the device & its handle\n- close it\n\nNote: Hyper-V guests are not affected. CVE-2024-90010',
      'How could an attacker exploit this vulnerability? By an archive that a person opens. CVE-2024-90009',
      'What privileges could be gained by an attacker who successfully exploited this vulnerability? An attacker who successfully exploited this vulnerability could gain SYSTEM privileges. CVE-2024-90009,CVE-2024-90010',
      '- This vulnerability was reported to several vendors. CVE-2024-90009',
    ],
    weaknesses: [
      expect.stringMatching(/^CWE-362 .*CVE-2024-90010$/),
      'CWE-416 Use After Free CVE-2024-90009,CVE-2024-90010',
      'CWE-1329 - CVE-2024-90009',
    ],
  });
  expect(found('KB5090122|12097').detail['omitted']).toBeNull();
  expect(found('KB5090300|11650-12097').detail).toMatchObject({
    knownIssues: [],
    advice: [{ kind: 'Workaround', description: 'Remove the framework.' }, { kind: 'Mitigation' }],
  });
  expect(found('KB5090129|11923').detail).toMatchObject({ knownIssues: [], advice: [] });
});

const odd: Readonly<Record<string, object>> = {
  // A KB for a browser or a framework alone keeps that product.
  'KB4074700|10486-10048': {
    name: '2018-02 IE Cumulative Update for Internet Explorer 11 on Windows 7 for x64-based Systems Service Pack 1 (KB4074700)',
    productFamily: 'Browser',
    component: ['Microsoft Scripting Engine'],
  },
  'KB5090300|11650-12097': {
    productName: 'Microsoft .NET Framework 4.8 on Windows 10 Version 22H2 for x64-based Systems',
    restartBehaviour: 'Can request restart',
  },
  'KB5090400|10754': {
    supersedes: ['KB3124280', 'KB5080001', 'KB5080002'],
    latestKb: 'KB5090400',
    cve: ['ADV240001'],
    severity: 'None',
    impact: 'Defense in Depth',
  },
  // Doubled names and empty words.
  'KB5090129|11924': { productName: 'Windows Server 2022 (Server Core installation)' },
  'KB5090401|10120': {
    productName: 'Microsoft SharePoint Server 2010 Service Pack 2',
    severity: 'Low',
    impact: 'Spoofing',
    restartBehaviour: null,
    architecture: [],
  },
};

test.each(Object.entries(odd))('reads the special case %s', (key, expected) => {
  expect({ ...found(key).detail, ...found(key).row }).toMatchObject(expected);
});

test('reads the same from documents in any order', async () => {
  const backwards = { ...contents, documents: contents.documents.toReversed() };
  expect(await collect(part.read(backwards))).toEqual(readings);
});
