import { expect, test } from 'vitest';
import type { Entry } from '../../definition/feed.ts';
import { allOf } from '../../testing/all-of.ts';
import { contents, entriesOf, part, readings } from './testing/guide-fixtures.ts';

const entries = entriesOf(readings);
const january = Date.UTC(2024, 0, 9, 8);

function found(key: string): Entry {
  const entry = entries.get(key);
  if (entry === undefined) throw new Error(`no ${key}`);
  return entry;
}

test('each KB is a row for each of its products, sorted by KB and product', () => {
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
  expect(contents.whole).toBe(true);
});

test('a row lists what the KB fixes in the product over all documents, including the browser that it contains', () => {
  const title =
    '2024-01 Security Update for Windows 10 Version 22H2 for x64-based Systems (KB5090122)';
  expect(found('KB5090122|12097').row).toEqual({
    name: title,
    productName: 'Windows 10 Version 22H2 for x64-based Systems',
    paramName: 'windows-10-version-22h2-for-x64-based-systems',
    // Of the newest document: the product has gone over to extended updates since.
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
    // Three of its five fixes stand there; its date has no zone and is UTC.
    releaseDate: january,
    latestKb: 'KB5093100',
    cve: ['CVE-2024-90009', 'CVE-2024-90010', 'CVE-2024-90011', 'CVE-2024-90100'],
    supersedes: ['KB5089372'],
    supersededBy: ['KB5091763'],
    superseded: true,
    architecture: ['x64'],
    restartBehaviour: 'Required',
    // By the fourth of them.
    exploited: true,
    // Nothing is said of the third.
    publiclyDisclosed: null,
  });
  expect(found('KB5090122|12097').detail).toMatchObject({
    kbBaseId: null,
    title,
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
    supersedence: [
      {
        kbId: 'KB5093100',
        relation: 'Replaces it through others',
        releaseDate: Date.UTC(2024, 3, 9, 7),
        fixedBuild: null,
        replaces: ['KB5092845'],
        evidence: 'security update guide, 2024-Apr',
      },
      {
        kbId: 'KB5092845',
        relation: 'Replaces it through others',
        releaseDate: Date.UTC(2024, 2, 12, 7),
        replaces: ['KB5091763'],
      },
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

test('severity, impact and score are those of the vulnerability in the product', () => {
  const { vulnerabilities } = found('KB5090122|12097').detail as { vulnerabilities: object[] };
  expect(vulnerabilities).toHaveLength(4);
  // What is exploited comes first, then the severest.
  expect(vulnerabilities.map((row) => (row as { cve: string }).cve)).toEqual([
    'CVE-2024-90011',
    'CVE-2024-90009',
    'CVE-2024-90010',
    'CVE-2024-90100',
  ]);
  expect(vulnerabilities[1]).toEqual({
    cve: 'CVE-2024-90009',
    title: 'Windows Libarchive Remote Code Execution Vulnerability',
    component: 'Windows Libarchive, Windows Kernel',
    severity: 'Critical',
    impact: 'Remote Code Execution',
    cvss: '9.8',
    vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H/E:U/RL:O/RC:C',
    exploited: 'Not exploited',
    cwe: ['CWE-416', 'CWE-1329'],
  });
  expect(vulnerabilities[3]).toMatchObject({
    title: 'Internet Explorer Security Feature Bypass & Spoofing',
    severity: 'Important',
    cvss: null,
    exploited: null,
  });
  expect(found('KB5090129|11924').row).toMatchObject({
    severity: 'Moderate',
    impact: 'Elevation of Privilege',
  });
  expect(found('KB5090300|11650-12097').row).toMatchObject({ severity: 'Low', impact: 'Spoofing' });
});

test('exploited and publicly disclosed are said for each product', () => {
  const flags = (key: string) => [found(key).row['exploited'], found(key).row['publiclyDisclosed']];
  expect(flags('KB5091763|12097')).toEqual([true, false]);
  expect(flags('KB5091800|11923')).toEqual([false, false]);
  expect(flags('KB5092845|12097')).toEqual([false, true]);
  expect(flags('KB4074700|10486-10048')).toEqual([true, true]);
  expect(flags('KB5090400|10754')).toEqual([null, null]);
  const statusOf = (key: string) =>
    (found(key).detail['vulnerabilities'] as { exploited: string }[]).map(
      ({ exploited }) => exploited,
    );
  expect(statusOf('KB5091763|12097')).toEqual([
    'Exploited, Exploitation Detected, Exploitation More Likely (older releases)',
  ]);
  expect(statusOf('KB5091800|11923')).toEqual(['Exploitation Unlikely']);
  expect(statusOf('KB5092845|12097')).toEqual([
    'Publicly disclosed, Exploitation More Likely, Permanent denial of service',
  ]);
});

test('a KB tells its known issues, questions, ways around and weaknesses, each once and with its vulnerabilities', () => {
  const both = ['CVE-2024-90009', 'CVE-2024-90010'];
  expect(found('KB5090122|12097').detail).toMatchObject({
    knownIssues: [
      {
        kbId: 'KB5090122',
        description: null,
        article: 'https://support.microsoft.com/help/5090122',
        cve: both,
      },
      // Named beside the fix, though it is for another product.
      {
        kbId: 'KB5090300',
        description: null,
        article: 'https://support.microsoft.com/help/5090300',
        cve: ['CVE-2024-90010'],
      },
    ],
    advice: [
      {
        kind: 'Mitigation',
        description: 'Only systems that open archives are vulnerable.\n\nPS: Get-Service "archive"',
        cve: ['CVE-2024-90009'],
      },
    ],
    faq: [
      {
        question: 'How could an attacker exploit this vulnerability?',
        answer:
          'An attacker has to win a race condition:\n\n- open the device & its handle\n- close it\n\nNote: Hyper-V guests are not affected.',
        cve: ['CVE-2024-90010'],
      },
      {
        question: 'How could an attacker exploit this vulnerability?',
        answer: 'By an archive that a person opens.',
        cve: ['CVE-2024-90009'],
      },
      {
        question:
          'What privileges could be gained by an attacker who successfully exploited this vulnerability?',
        answer:
          'An attacker who successfully exploited this vulnerability could gain SYSTEM privileges.',
        cve: both,
      },
      {
        question: null,
        answer: 'This vulnerability was reported to several vendors.',
        cve: ['CVE-2024-90009'],
      },
    ],
    weaknesses: [
      { cwe: 'CWE-362', cve: ['CVE-2024-90010'] },
      { cwe: 'CWE-416', name: 'Use After Free', cve: both },
      { cwe: 'CWE-1329', name: null, cve: ['CVE-2024-90009'] },
    ],
    omitted: null,
  });
  expect(found('KB5090300|11650-12097').detail).toMatchObject({
    knownIssues: [],
    advice: [{ kind: 'Workaround', description: 'Remove the framework.' }, { kind: 'Mitigation' }],
  });
  expect(found('KB5090129|11923').detail).toMatchObject({ knownIssues: [], advice: [] });
});

test('a KB that has only a browser or a framework keeps it', () => {
  expect(found('KB4074700|10486-10048').row).toMatchObject({
    name: '2018-02 IE Cumulative Update for Internet Explorer 11 on Windows 7 for x64-based Systems Service Pack 1 (KB4074700)',
    productFamily: 'Browser',
    component: ['Microsoft Scripting Engine'],
  });
  expect(found('KB5090300|11650-12097').row).toMatchObject({
    productName: 'Microsoft .NET Framework 4.8 on Windows 10 Version 22H2 for x64-based Systems',
    restartBehaviour: 'Can request restart',
  });
});

test('what replaces a KB on one product does not on another; circles and a KB that replaces itself are harmless', () => {
  expect(found('KB5090129|11923').row).toMatchObject({ supersededBy: [], latestKb: 'KB5090129' });
  expect(found('KB5090200|11923').row).toMatchObject({
    supersededBy: ['KB5091800'],
    latestKb: 'KB5092901',
  });
  expect(found('KB5092901|11923')).toMatchObject({
    row: { supersedes: ['KB5091800', 'KB5092900'], supersededBy: [] },
    detail: {
      contradictions: [
        {
          statement: 'KB5092900 replaces KB5092901',
          against: 'KB5092901 replaces KB5092900, directly or through others',
        },
      ],
    },
  });
  expect(found('KB5092900|11923').row).toMatchObject({
    supersedes: [],
    supersededBy: ['KB5092901'],
    latestKb: 'KB5092901',
  });
  expect(found('KB5090400|10754').row).toMatchObject({
    supersedes: ['KB3124280', 'KB5080001', 'KB5080002'],
    latestKb: 'KB5090400',
  });
});

test('spellings, doubled names and empty words', () => {
  expect(found('KB5090200|11923').detail).toMatchObject({ updateType: 'Security Hotpatch Update' });
  expect(found('KB5091800|11923').detail).toMatchObject({ updateType: 'Security Hotpatch Update' });
  expect(found('KB5090129|11924').row).toMatchObject({
    productName: 'Windows Server 2022 (Server Core installation)',
  });
  expect(found('KB5090401|10120').row).toMatchObject({
    productName: 'Microsoft SharePoint Server 2010 Service Pack 2',
    severity: 'Low',
    impact: 'Spoofing',
    restartBehaviour: null,
    architecture: [],
  });
  expect(found('KB5090400|10754').row).toMatchObject({
    cve: ['ADV240001'],
    severity: 'None',
    impact: 'Defense in Depth',
  });
});

test('the order of the documents does not matter', async () => {
  const backwards = { ...contents, documents: contents.documents.toReversed() };
  expect(await allOf(part.read(backwards))).toEqual(readings);
});
