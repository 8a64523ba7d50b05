import { expect, test } from 'vitest';
import type { Rejection, Remark, RiskItem } from '../definition/feed.ts';
import { collect } from '../testing/collect.ts';
import { formatMessages } from '../testing/feed-reader.ts';
import { findPart } from '../testing/find-part.ts';
import { memoryPublication } from '../testing/memory-publication.ts';
import { cisa, file, fullRecord, metric, nvdFile, records, served } from '../testing/nvd-files.ts';
import { createNvdParts } from './nvd-feed.ts';

const now = Date.UTC(2031, 3, 10);
const feed = { parts: createNvdParts(now) };

async function readItems(written: readonly unknown[]): Promise<(RiskItem | Rejection | Remark)[]> {
  const part = findPart(feed, '2031');
  const publication = memoryPublication(served('2031', nvdFile(written)), { now });
  return collect(part.read(await part.contents(publication)));
}

test('reads every field of a record, the preferred score first', async () => {
  expect(await readItems([fullRecord])).toEqual([
    {
      kind: 'risk',
      facts: {
        kind: 'cvss',
        cve: 'CVE-2031-1001',
        description: 'A heap overflow in lanternd.',
        status: 'Analyzed',
        rejected: false,
        published: Date.UTC(2031, 0, 2, 3, 4, 5, 678),
        lastModified: Date.UTC(2031, 3, 5, 6, 7, 8, 90),
        scores: [
          ['4.0', 8.7, 'cisa', cisa],
          ['3.1', 7, 'nvd', 'nvd@nist.gov'],
          ['3.1', 7.5, 'cna', 'security@lantern.example'],
          ['3.1', 9.8, 'cisa', cisa],
          ['3.1', 5.1, 'other', 'other@example.org'],
          ['3.1', 5.2, 'other', 'another@example.org'],
          ['2.0', 6, 'nvd', 'nvd@nist.gov'],
        ].map(([version, score, scorer, source]) => ({
          version,
          score,
          vector: version === '2.0' ? 'AV:N/AC:M/Au:S/C:P/I:P/A:P' : `CVSS:${version}/AV:N`,
          severity: version === '2.0' ? 'MEDIUM' : 'HIGH',
          scorer,
          source,
        })),
        ssvc: {
          exploitation: 'poc',
          automatable: 'yes',
          technicalImpact: 'total',
          version: '2.0.3',
          decidedOn: Date.UTC(2031, 0, 3, 17, 23, 2, 943),
        },
      },
    },
  ]);
});

test('gives a rejected CVE neither scores nor SSVC', async () => {
  const [rejected] = records(await readItems([{ ...fullRecord, vulnStatus: 'Rejected' }]));
  expect(rejected).toMatchObject({ rejected: true, scores: [], ssvc: null });
});

test('leaves out unknown metrics and invalid scores and counts them in remarks', async () => {
  const metrics = {
    cvssMetricV50: [{ cvssData: { baseScore: 42 } }],
    cvssMetricV31: [
      ...['9.8', 10.1, -1, 'high', null, {}, Number.NaN].map((score) =>
        metric('3.1', score, 'nvd@nist.gov'),
      ),
      null,
    ],
    cvssMetricV30: 'none',
  };
  const items = await readItems([
    { ...fullRecord, metrics },
    { ...fullRecord, id: 'CVE-2031-1002', metrics: { cvssMetricV50: [] } },
    { id: 'CVE-2031-1003', metrics: [1] },
    { id: 'cve-2031-1004' },
  ]);
  expect(records(items)).toMatchObject([
    { cve: 'CVE-2031-1001', scores: [{ score: 9.8, version: '3.1' }] },
    { cve: 'CVE-2031-1002', scores: [] },
    { cve: 'CVE-2031-1003', status: '', description: '', published: null, lastModified: null },
    { cve: 'CVE-2031-1004', scores: [], ssvc: null },
  ]);
  expect(items.filter(({ kind }) => kind !== 'risk')).toEqual([
    {
      kind: 'remark',
      remark:
        'scores that are not numbers from 0 to 10 were left out: 8 (for example of CVE-2031-1001)',
    },
    {
      kind: 'remark',
      remark: 'values that cannot be read were left out: 1 (for example metrics of CVE-2031-1003)',
    },
    {
      kind: 'remark',
      remark:
        'metrics "cvssMetricV50" are not known to this version and were left out: 2 (for example of CVE-2031-1001)',
    },
  ]);
});

test("prefers CISA's latest decision and reads decision points in any spelling", async () => {
  const decision = (source: string, timestamp: string, options: unknown) => ({
    source,
    ssvcData: { timestamp, options, version: '2.0.3' },
  });
  const metrics = {
    ssvcV203: [
      decision(cisa, '2031-01-01T00:00:00Z', [{ exploitation: 'none' }]),
      decision(cisa, '2031-02-01T00:00:00Z', {
        Exploitation: 'weaponised',
        'Technical Impact': 'total',
      }),
      decision('other@example.org', '2031-03-01T00:00:00Z', [{ exploitation: 'active' }]),
      decision(cisa, '2031-04-01T00:00:00Z', 'none'),
    ],
  };
  expect(records(await readItems([{ ...fullRecord, metrics }]))[0]?.ssvc).toEqual({
    exploitation: 'weaponised',
    automatable: null,
    technicalImpact: 'total',
    version: '2.0.3',
    decidedOn: Date.UTC(2031, 1, 1),
  });
});

test.each([
  ['vulnStatus', { vulnStatus: { word: 'Rejected' } }],
  ['sourceIdentifier', { sourceIdentifier: ['nvd@nist.gov'] }],
  ['descriptions', { descriptions: 'A heap overflow.' }],
  ['descriptions', { descriptions: [{ lang: 'en', value: 7 }] }],
  ['published', { published: { year: 2031 } }],
  ['metrics', { metrics: 'none' }],
  ['ssvcV203', { metrics: { ssvcV203: 'none' } }],
  ['SSVC decision', { metrics: { ssvcV203: [{ source: cisa, ssvcData: 'none' }] } }],
  [
    'SSVC timestamp',
    {
      metrics: {
        ssvcV203: [
          { source: cisa, ssvcData: { timestamp: 'soon', options: [{ exploitation: 'none' }] } },
        ],
      },
    },
  ],
])('counts in a remark that %s has another form', async (name, change) => {
  const items = await readItems([{ ...fullRecord, ...change }]);
  expect(records(items)).toHaveLength(1);
  expect(items.filter(({ kind }) => kind !== 'risk')).toEqual([
    {
      kind: 'remark',
      remark: `values that cannot be read were left out: 1 (for example ${name} of CVE-2031-1001)`,
    },
  ]);
});

test('rejects a record without a CVE id and a repeated CVE', async () => {
  const items = await readItems([
    null,
    { ...fullRecord, id: 'CAN-2031-1' },
    fullRecord,
    { ...fullRecord, id: 'cve-2031-1001' },
  ]);
  expect(formatMessages(items)).toEqual([
    'record 1: it has no id []',
    'record 2: its id "CAN-2031-1" is not a CVE id []',
    'CVE-2031-1001: it occurs twice; the first record was read [CVE-2031-1001]',
  ]);
  expect(items.find(({ kind }) => kind === 'rejection')).toMatchObject({ url: file('2031') });
});

test('rejects a record of another year and reads the others', async () => {
  expect(await readItems([{ ...fullRecord, id: 'CVE-2030-1001' }, fullRecord])).toMatchObject([
    {
      kind: 'rejection',
      rejected: 'CVE-2030-1001',
      reason: 'it is of 2030, and the file of 2031',
      keys: ['CVE-2030-1001'],
    },
    { kind: 'risk', facts: { cve: 'CVE-2031-1001' } },
  ]);
});

test('throws when all records are of another year', async () => {
  await expect(readItems([{ ...fullRecord, id: 'CVE-2030-1001' }])).rejects.toThrow(
    'its CVEs are of 2030, not of 2031',
  );
});

test('adds a remark on a file without records', async () => {
  expect(await readItems([])).toEqual([
    { kind: 'remark', remark: `${file('2031')} contains no record` },
  ]);
});
