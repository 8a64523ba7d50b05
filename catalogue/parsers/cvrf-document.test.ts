import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { collect } from '../testing/collect.ts';
import { readCvrf } from './cvrf-document.ts';

const fixture = new URL(
  '../vendors/windows/fixtures/api.msrc.microsoft.com/cvrf/v3.0/cvrf/2018-FEB',
  import.meta.url,
);

async function* once(text: string) {
  yield text;
}

test('reads the tracking facts, products by branch, and vulnerabilities', async () => {
  const pieces = await collect(readCvrf(once(await readFile(fixture, 'utf8'))));
  const branches = (family: string) => ({ Vendor: 'Microsoft', 'Product Family': family });
  expect(pieces).toEqual([
    {
      kind: 'tracking',
      id: '2018-FEB',
      initialReleaseDate: '2018-02-13T08:00:00Z',
      currentReleaseDate: '2026-02-20T22:52:19',
    },
    {
      kind: 'products',
      products: [
        {
          id: '10048',
          name: 'Windows 7 for x64-based Systems Service Pack 1',
          branches: branches('ESU'),
        },
        {
          id: '10486-10048',
          name: 'Internet Explorer 11 on Windows 7 for x64-based Systems Service Pack 1',
          branches: branches('Browser'),
        },
      ],
    },
    {
      kind: 'vulnerability',
      title: 'Scripting Engine Memory Corruption Vulnerability',
      cve: 'CVE-2018-90001',
      weaknesses: [],
      notes: [
        { type: 'Description', text: '<p>Not read.</p>' },
        { type: 'Tag', text: 'Microsoft Scripting Engine' },
      ],
      threats: [
        { type: 'Impact', description: 'Remote Code Execution', products: ['10486-10048'] },
        { type: 'Severity', description: 'Critical', products: ['10486-10048'] },
        {
          type: 'Exploit Status',
          description:
            'Publicly Disclosed:Yes;Exploited:Yes;Latest Software Release:Exploitation Detected;DOS:N/A',
          products: [],
        },
      ],
      scores: [
        {
          base: '7.5',
          vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H/E:U/RL:O/RC:C',
          products: ['10486-10048'],
        },
      ],
      remediations: [
        {
          type: 'Vendor Fix',
          description: '4074700',
          products: ['10486-10048'],
          words: { Supercedence: '4056568', RestartRequired: 'Yes', SubType: 'IE Cumulative' },
        },
      ],
      revisions: [{ number: '1.0', date: '0001-01-01T00:00:00', description: null }],
    },
  ]);
});

test('reads products outside of branches, and an empty document', async () => {
  const flat =
    '<cvrfdoc><ProductTree><FullProductName ProductID="1">One</FullProductName></ProductTree><Vulnerability/></cvrfdoc>';
  expect(await collect(readCvrf(once(flat)))).toEqual([
    { kind: 'products', products: [{ id: '1', name: 'One', branches: {} }] },
    {
      kind: 'vulnerability',
      title: null,
      cve: null,
      weaknesses: [],
      notes: [],
      threats: [],
      scores: [],
      remediations: [],
      revisions: [],
    },
  ]);
});

test('reads the revisions of a vulnerability as written', async () => {
  const revised = `<cvrfdoc><Vulnerability><RevisionHistory>
    <Revision><Number>2.0</Number><Date>2026-06-09T07:00:00</Date><Description>&lt;p&gt;Published anew.&lt;/p&gt;</Description></Revision>
    <Revision/>
  </RevisionHistory></Vulnerability></cvrfdoc>`;
  expect(await collect(readCvrf(once(revised)))).toMatchObject([
    {
      revisions: [
        { number: '2.0', date: '2026-06-09T07:00:00', description: '<p>Published anew.</p>' },
        { number: null, date: null, description: null },
      ],
    },
  ]);
});

test('joins broken lines, and skips products and branches without a name', async () => {
  const loose =
    '<cvrfdoc><ProductTree><Branch Type="Vendor"><FullProductName ProductID="1">One\n  more</FullProductName><FullProductName ProductID="2"/></Branch></ProductTree>' +
    '<Vulnerability><CWE ID="CWE-416">Use\n After Free</CWE><CWE ID="CWE-1329" /><CWE>Other</CWE><CVSSScoreSets><ScoreSet><Vector>CVSS:3.1\n/AV:N</Vector></ScoreSet></CVSSScoreSets></Vulnerability></cvrfdoc>';
  expect(await collect(readCvrf(once(loose)))).toMatchObject([
    { products: [{ id: '1', name: 'One more', branches: {} }] },
    {
      weaknesses: [
        { id: 'CWE-416', name: 'Use After Free' },
        { id: 'CWE-1329', name: null },
        { id: null, name: 'Other' },
      ],
      scores: [{ base: null, vector: 'CVSS:3.1 /AV:N' }],
    },
  ]);
});
