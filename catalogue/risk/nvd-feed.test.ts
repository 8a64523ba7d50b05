import { readFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { Facts, Rejection, Remark, RiskItem } from '../definition/feed.ts';
import type { CveRecord } from '../definition/risk-facts.ts';
import { BrokenDocument } from '../parsers/document-of.ts';
import { sha256Hex } from '../parsers/sha256.ts';
import { allOf } from '../testing/all-of.ts';
import { describeWithMirror, feedMirror } from '../testing/describe-with-mirror.ts';
import { documentFrom } from '../testing/document-from.ts';
import { type MemoryOptions, memoryPublication } from '../testing/memory-publication.ts';
import { partOf } from '../testing/part-of.ts';
import { publicationFrom } from '../testing/publication-from.ts';
import { describeWithRiskEdgeCases, riskEdgeCases } from '../testing/risk-edge-cases.ts';
import { nvdFeed, nvdParts } from './nvd-feed.ts';

type Item = RiskItem | Rejection | Remark;

const folder = 'https://nvd.nist.gov/feeds/json/cve/2.0';
const now = Date.UTC(2031, 3, 10);
const feed = { parts: nvdParts(now) };

const cisa = '134c704f-9b21-4f2e-91b3-4a467353bcc0';

function metric(version: string, score: unknown, source: string) {
  return {
    source,
    type: source === 'nvd@nist.gov' ? 'Primary' : 'Secondary',
    cvssData: {
      version,
      vectorString: `CVSS:${version}/AV:N`,
      baseScore: score,
      baseSeverity: 'HIGH',
    },
  };
}

const fullRecord = {
  id: 'CVE-2031-1001',
  sourceIdentifier: 'security@lantern.example',
  published: '2031-01-02T03:04:05.678',
  lastModified: '2031-04-05T06:07:08.090',
  vulnStatus: 'Analyzed',
  cveTags: [],
  descriptions: [
    { lang: 'es', value: 'Un desbordamiento.' },
    { lang: 'en', value: 'A heap overflow in lanternd.\n' },
  ],
  affected: [{ source: 'security@lantern.example', affectedData: [{ vendor: 'Lantern' }] }],
  metrics: {
    cvssMetricV2: [
      {
        source: 'nvd@nist.gov',
        type: 'Primary',
        cvssData: { version: '2.0', vectorString: 'AV:N/AC:M/Au:S/C:P/I:P/A:P', baseScore: 6 },
        baseSeverity: 'MEDIUM',
      },
    ],
    cvssMetricV31: [
      metric('3.1', 5.1, 'other@example.org'),
      metric('3.1', 9.8, cisa),
      metric('3.1', 7.5, 'security@lantern.example'),
      metric('3.1', 7, 'nvd@nist.gov'),
      metric('3.1', 5.2, 'another@example.org'),
    ],
    cvssMetricV40: [metric('4.0', 8.7, cisa)],
    ssvcV203: [
      {
        source: cisa,
        ssvcData: {
          timestamp: '2031-01-03T17:23:02.943028Z',
          id: 'CVE-2031-1001',
          options: [{ exploitation: 'poc' }, { automatable: 'yes' }, { technicalImpact: 'total' }],
          role: 'CISA Coordinator',
          version: '2.0.3',
        },
      },
    ],
  },
  configurations: [{ nodes: [{ cpeMatch: [{ criteria: 'cpe:2.3:a:lantern:lanternd:*' }] }] }],
  references: [{ url: 'https://lantern.example/1' }],
};

/** As NVD prints it. */
function nvdFile(records: readonly unknown[]): string {
  return JSON.stringify(
    {
      resultsPerPage: records.length,
      format: 'NVD_CVE',
      version: '2.0',
      timestamp: '2031-04-10T07:00:44.0244821',
      vulnerabilities: records.map((cve) => ({ cve })),
    },
    null,
    2,
  ).replaceAll('": ', '" : ');
}

function metaOf(text: string, made = '2031-04-10T03:00:12-04:00', end = '\r\n'): string {
  return [
    `lastModifiedDate:${made}`,
    `size:${Buffer.byteLength(text)}`,
    'zipSize:1',
    'gzSize:1',
    `sha256:${sha256Hex(text).toUpperCase()}`,
    '',
  ].join(end);
}

const file = (name: string) => `${folder}/nvdcve-2.0-${name}.json.gz`;
const meta = (name: string) => `${folder}/nvdcve-2.0-${name}.meta`;

const served = (name: string, text: string, made?: string) => ({
  [file(name)]: gzipSync(text),
  [meta(name)]: metaOf(text, made),
});

async function itemsOf(records: readonly unknown[]): Promise<Item[]> {
  const part = partOf(feed, '2031');
  const publication = memoryPublication(served('2031', nvdFile(records)), { now });
  return allOf(part.read(await part.contents(publication)));
}

const records = (items: readonly Item[]): CveRecord[] =>
  items.flatMap((item) => (item.kind === 'risk' && item.facts.kind === 'cvss' ? [item.facts] : []));

test('reads a record in full, the preferred score first', async () => {
  expect(await itemsOf([fullRecord])).toEqual([
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
  const [rejected] = records(await itemsOf([{ ...fullRecord, vulnStatus: 'Rejected' }]));
  expect(rejected).toMatchObject({ rejected: true, scores: [], ssvc: null });
});

test('leaves out unknown metrics and odd scores, and says how many', async () => {
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
  const items = await itemsOf([
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
        'scores that are not numbers from 0 to 10 were left out: 7 (for example of CVE-2031-1001)',
    },
    {
      kind: 'remark',
      remark:
        'metrics "cvssMetricV50" are not known to this version and were left out: 2 (for example of CVE-2031-1001)',
    },
  ]);
});

test("prefers CISA's latest decision, and reads decision points however they are spelled", async () => {
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
  expect(records(await itemsOf([{ ...fullRecord, metrics }]))[0]?.ssvc).toEqual({
    exploitation: 'weaponised',
    automatable: null,
    technicalImpact: 'total',
    version: '2.0.3',
    decidedOn: Date.UTC(2031, 1, 1),
  });
});

test('rejects a record without a CVE id and the second of two for one CVE', async () => {
  const items = await itemsOf([
    null,
    { ...fullRecord, id: 'CAN-2031-1' },
    fullRecord,
    { ...fullRecord, id: 'cve-2031-1001' },
  ]);
  const url = file('2031');
  expect(items.filter(({ kind }) => kind === 'rejection')).toEqual([
    { kind: 'rejection', rejected: 'record 1', keys: [], reason: 'it has no id', url },
    {
      kind: 'rejection',
      rejected: 'record 2',
      keys: [],
      reason: 'its id "CAN-2031-1" is no CVE id',
      url,
    },
    {
      kind: 'rejection',
      rejected: 'CVE-2031-1001',
      keys: ['CVE-2031-1001'],
      reason: 'it is there a second time; the first record was read',
      url,
    },
  ]);
});

test('takes a plain file, records without a wrapper, and line feeds alone in the .meta', async () => {
  const text = JSON.stringify({ vulnerabilities: [fullRecord] });
  const part = partOf(feed, '2031');
  const publication = memoryPublication({
    [file('2031')]: text,
    [meta('2031')]: metaOf(text, undefined, '\n').toLowerCase().replace('lastmodifieddate', 'x'),
  });
  const items = await allOf(part.read(await part.contents(publication)));
  expect(records(items)[0]?.scores).toHaveLength(7);
});

test.each([
  ['another checksum', { sha256: '0'.repeat(64) }, /once opened its sha256 is/],
  ['another size', { size: '7' }, /the vendor announced 7/],
])('refuses a file with %s than its .meta announces', async (_name, changed, message) => {
  const text = nvdFile([fullRecord]);
  const lines = metaOf(text)
    .split('\r\n')
    .map((line) => {
      const name = line.split(':')[0] ?? '';
      return Object.hasOwn(changed, name) ? `${name}:${Reflect.get(changed, name)}` : line;
    });
  const part = partOf(feed, '2031');
  const contents = await part.contents(
    memoryPublication({ ...served('2031', text), [meta('2031')]: lines.join('\n') }),
  );
  await expect(allOf(part.read(contents))).rejects.toThrow(message);
  await expect(allOf(part.read(contents))).rejects.toBeInstanceOf(BrokenDocument);
});

test.each([
  ['a page instead of a file', '<html>The 1.1 feeds have ended</html>', 'not valid JSON'],
  ['a file without records', '{"format":"NVD_CVE"}', 'it has no array "vulnerabilities"'],
])('refuses %s', async (_name, text, message) => {
  const part = partOf(feed, '2031');
  const contents = await part.contents(
    memoryPublication({ [file('2031')]: text, [meta('2031')]: metaOf(text) }),
  );
  await expect(allOf(part.read(contents))).rejects.toThrow(message);
});

test.each([
  ['<html></html>', 'it has no "sha256"'],
  [`sha256:${'g'.repeat(64)}\nsize:1`, 'it has no "sha256"'],
  [`sha256:${'a'.repeat(64)}\nsize:many`, 'it has no "size"'],
])('refuses the .meta %s', async (text, message) => {
  const publication = memoryPublication({ [meta('2031')]: text });
  const refused = partOf(feed, '2031').contents(publication);
  await expect(refused).rejects.toThrow(message);
  await expect(refused).rejects.toBeInstanceOf(BrokenDocument);
});

test('has a part for what was modified and for every year from 2002 on', () => {
  const keys = nvdParts(Date.UTC(2027, 0, 1)).map(({ key }) => key);
  expect(keys.slice(0, 3)).toEqual(['modified', '2002', '2003']);
  expect(keys.at(-1)).toBe('2027');
  expect(keys).toHaveLength(27);
  expect(nvdFeed.parts.at(-1)?.key).toBe(String(new Date().getUTCFullYear()));
});

const year = { reader: '1', sha256: 'a'.repeat(64), modified: '2031-04-01T07:00:00.000Z' };
const span = { since: '2031-04-02T00:00:00.000Z', until: '2031-04-09T22:00:00.000Z' };
const text = nvdFile([fullRecord]);

async function asked(key: string, options: MemoryOptions): Promise<readonly string[]> {
  const publication = memoryPublication(
    { ...served('2030', text), ...served('modified', text) },
    { now, ...options },
  );
  await partOf(feed, key).contents(publication);
  return publication.asked.map((url) => url.slice(url.lastIndexOf('.') + 1));
}

test('asks for no year that `modified` has kept up to date since it was read', async () => {
  const last = [documentFrom(file('2030'), text)];
  const publication = memoryPublication(
    {},
    { now, remembered: year, otherParts: { modified: span }, last },
  );
  const contents = await partOf(feed, '2030').contents(publication);
  expect(publication.asked).toEqual([]);
  expect(contents).toEqual({ documents: last, whole: false, remember: year });
});

test.each<[string, Facts, Facts | null]>([
  ['was read by another version of the reader', { ...year, reader: '0' }, span],
  ['states no time', { reader: '1', sha256: year.sha256 }, span],
  ['is older than the first of the gapless readings', year, { ...span, since: span.until }],
  [
    'was read longer ago than `modified` reaches back',
    year,
    { ...span, until: '2031-04-02T22:00:00.000Z' },
  ],
  ['was read before `modified` ever was', year, null],
])('asks for a year that %s', async (_name, remembered, modified) => {
  const otherParts: Record<string, Facts> = modified === null ? {} : { modified };
  expect(await asked('2030', { remembered, otherParts })).toEqual(['meta', 'gz']);
});

test('does not fetch a file whose .meta announces the one that was read', async () => {
  const remembered = { reader: '1', sha256: sha256Hex(text) };
  expect(await asked('2030', { remembered })).toEqual(['meta']);
  expect(await asked('modified', { remembered })).toEqual(['meta']);
});

test('reads the copy of an unchanged file again with a new reader, and fetches it where there is none', async () => {
  const remembered = { reader: '0', sha256: sha256Hex(text) };
  const last = [documentFrom(file('2030'), text)];
  expect(await asked('2030', { remembered, last })).toEqual(['meta']);
  expect(await asked('2030', { remembered })).toEqual(['meta', 'gz']);
});

test('remembers since when `modified` has been read without a gap', async () => {
  const remember = async (made: string, remembered?: Facts) => {
    const publication = memoryPublication(served('modified', text, made), {
      now,
      ...(remembered && { remembered }),
    });
    return (await partOf(feed, 'modified').contents(publication)).remember;
  };
  const first = await remember('2031-04-01T08:00:00-04:00');
  const sha256 = sha256Hex(text);
  const noon = '2031-04-01T12:00:00.000Z';
  expect(first).toEqual({ reader: '1', sha256, since: noon, until: noon });
  expect(await remember('2031-04-08T08:00:00-04:00', first)).toMatchObject({
    since: noon,
    until: '2031-04-08T12:00:00.000Z',
  });
  // A cache that serves an older state does not take anything back.
  expect(await remember('2031-03-31T08:00:00-04:00', first)).toMatchObject({
    since: noon,
    until: noon,
  });
  expect(await remember('2031-04-08T08:00:01-04:00', first)).toMatchObject({
    since: '2031-04-08T12:00:01.000Z',
    until: '2031-04-08T12:00:01.000Z',
  });
  expect(await remember('unknown', first)).toEqual({ reader: '1', sha256 });
});

test('a year remembers when NVD made the file', async () => {
  const publication = memoryPublication(served('2030', text), { now });
  expect((await partOf(feed, '2030').contents(publication)).remember).toEqual({
    reader: '1',
    sha256: sha256Hex(text),
    modified: '2031-04-10T07:00:12.000Z',
  });
});

interface WrittenMetric {
  readonly source: string;
  readonly cvssData: Readonly<Record<string, string>>;
  readonly baseSeverity?: string;
}
interface Written {
  readonly id: string;
  readonly sourceIdentifier: string;
  readonly published: string;
  readonly lastModified?: string;
  readonly vulnStatus: string;
  readonly descriptions: readonly { readonly lang: string; readonly value: string }[];
  readonly metrics: Readonly<Record<string, readonly WrittenMetric[]>> & {
    readonly ssvcV203?: readonly {
      readonly ssvcData: {
        readonly timestamp: string;
        readonly version: string;
        readonly options: readonly Readonly<Record<string, string>>[];
      };
    }[];
  };
}

/** What the file says of a CVE, put together from the parsed file alone. */
function expected(of: Written) {
  const scores = ['V40', 'V31', 'V30', 'V2'].flatMap((version) => {
    const metrics = of.metrics[`cvssMetric${version}`] ?? [];
    const by = (source: string) => metrics.filter((candidate) => candidate.source === source);
    const named = [
      ...by('nvd@nist.gov').map((one) => ({ one, scorer: 'nvd' })),
      ...by(of.sourceIdentifier).map((one) => ({ one, scorer: 'cna' })),
      ...by(cisa).map((one) => ({ one, scorer: 'cisa' })),
    ];
    const distinct = named.filter(
      ({ one }, index) => named.findIndex((earlier) => earlier.one === one) === index,
    );
    const others = metrics.filter((one) => !distinct.some((earlier) => earlier.one === one));
    return [...distinct, ...others.map((one) => ({ one, scorer: 'other' }))].map(
      ({ one, scorer }) => ({
        version: one.cvssData.version,
        score: Number(one.cvssData.baseScore),
        vector: one.cvssData.vectorString,
        severity: one.cvssData.baseSeverity ?? one.baseSeverity ?? null,
        scorer,
        source: one.source,
      }),
    );
  });
  const ssvc = of.metrics.ssvcV203?.[0]?.ssvcData;
  const point = (name: string) => ssvc?.options.find((option) => name in option)?.[name] ?? null;
  const rejected = of.vulnStatus === 'Rejected';
  return {
    kind: 'cvss',
    cve: of.id.toUpperCase(),
    description: of.descriptions.find(({ lang }) => lang === 'en')?.value.trim(),
    status: of.vulnStatus,
    rejected,
    published: Date.parse(`${of.published}Z`),
    lastModified: of.lastModified === undefined ? null : Date.parse(`${of.lastModified}Z`),
    scores: rejected ? [] : scores,
    ssvc:
      ssvc === undefined || rejected
        ? null
        : {
            exploitation: point('exploitation'),
            automatable: point('automatable'),
            technicalImpact: point('technicalImpact'),
            version: ssvc.version,
            decidedOn: Date.parse(ssvc.timestamp),
          },
  };
}

function written(path: string, root: URL): Written[] {
  const parsed = JSON.parse(gunzipSync(readFileSync(new URL(path, root))).toString('utf8'));
  return parsed.vulnerabilities.map(({ cve }: { cve: Written }) => cve);
}

describeWithRiskEdgeCases("the odd file of the mirror's", () => {
  const read = (name: string) => readFileSync(new URL(name, riskEdgeCases));
  const odd = (metaName: string) =>
    memoryPublication({
      [file('2026')]: read('nvdcve-2.0-odd.json.gz'),
      [meta('2026')]: read(metaName),
    });
  const part = partOf(feed, '2026');

  test('nvdcve-2.0-odd.meta: every record is read, what is unknown is passed over', async () => {
    const items = await allOf(part.read(await part.contents(odd('nvdcve-2.0-odd.meta'))));
    const found = written('nvdcve-2.0-odd.json.gz', riskEdgeCases);
    expect(found).toHaveLength(21);
    expect(records(items)).toEqual(
      found.map((of) => {
        const { cvssMetricV50: _unknown, ...metrics } = of.metrics;
        return expected({ ...of, metrics });
      }),
    );
    expect(items.filter(({ kind }) => kind !== 'risk')).toEqual([
      {
        kind: 'remark',
        remark:
          'metrics "cvssMetricV50" are not known to this version and were left out: 1 (for example of CVE-2026-900011)',
      },
    ]);
    const byId = new Map(records(items).map((of) => [of.cve, of]));
    const first = (cve: string) => byId.get(cve)?.scores[0];
    // NVD's own is lower than the CNA's and still preferred; version 4.0 goes before both.
    expect(first('CVE-2026-900004')).toMatchObject({ score: 2.8, scorer: 'nvd' });
    expect(first('CVE-2026-900005')).toMatchObject({ score: 9.3, version: '4.0', scorer: 'cna' });
    expect(first('CVE-2026-900006')).toMatchObject({ score: 9.8, scorer: 'cna' });
    expect(first('CVE-2026-900010')?.score).toBe(0);
    expect(first('CVE-2026-900016')?.score).toBe(9.8);
    expect(byId.get('CVE-2026-900013')?.ssvc).toMatchObject({
      exploitation: 'weaponised',
      automatable: 'maybe',
    });
    expect(byId.get('CVE-2026-900014')?.ssvc).toMatchObject({
      exploitation: 'active',
      automatable: null,
      technicalImpact: 'partial',
    });
    expect(byId.get('CVE-2026-900009')?.rejected).toBe(true);
    expect(byId.has('CVE-2026-1234567')).toBe(true);
    expect(byId.has('CVE-2026-900015')).toBe(true);
  });

  test('nvdcve-2.0-odd-wrong-sha.meta: the file is refused', async () => {
    const contents = await part.contents(odd('nvdcve-2.0-odd-wrong-sha.meta'));
    await expect(allOf(part.read(contents))).rejects.toThrow('the vendor announced 0000');
  });
});

describeWithMirror('the files of the mirror', () => {
  const parts = nvdParts(Date.UTC(2026, 7, 13)).map(({ key }) => key);

  test.each(parts)('every CVE of %s comes out with the right fields', async (key) => {
    const part = partOf(feed, key);
    const items = await allOf(part.read(await part.contents(publicationFrom(feedMirror))));
    const found = written(`nvd.nist.gov/feeds/json/cve/2.0/nvdcve-2.0-${key}.json.gz`, feedMirror);
    expect(records(items)).toHaveLength(items.length);
    expect(records(items)).toEqual(found.map(expected));
  });

  test('the years hold 11,011 CVEs', async () => {
    let count = 0;
    for (const key of parts.filter((name) => name !== 'modified')) {
      const part = partOf(feed, key);
      count += (await allOf(part.read(await part.contents(publicationFrom(feedMirror))))).length;
    }
    expect(count).toBe(11_011);
  });

  test.each(['2025', 'modified'])('the next day of %s is read in full', async (key) => {
    const root = new URL('overlay-next-day/', riskEdgeCases);
    const part = partOf(feed, key);
    const items = await allOf(part.read(await part.contents(publicationFrom(root))));
    const found = written(`nvd.nist.gov/feeds/json/cve/2.0/nvdcve-2.0-${key}.json.gz`, root);
    expect(records(items)).toEqual(found.map(expected));
    expect(items.length).toBeGreaterThan(100);
  });
});
