import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { PartManifest, Publication, Rejection, Remark, RiskItem } from '../definition/feed.ts';
import { BrokenDocument } from '../parsers/document-of.ts';
import { allOf } from '../testing/all-of.ts';
import { describeWithMirror, feedMirror } from '../testing/describe-with-mirror.ts';
import { type MemoryOptions, memoryPublication } from '../testing/memory-publication.ts';
import { partOf } from '../testing/part-of.ts';
import { publicationFrom } from '../testing/publication-from.ts';
import { describeWithRiskEdgeCases, riskEdgeCases } from '../testing/risk-edge-cases.ts';
import { kevFeed } from './kev-feed.ts';

const address =
  'https://www.cisa.gov/sites/default/files/feeds/known_exploited_vulnerabilities.json';
const copyAddress =
  'https://raw.githubusercontent.com/cisagov/kev-data/develop/known_exploited_vulnerabilities.json';

const part = partOf(kevFeed, 'kev');

const entry = {
  cveID: 'CVE-2031-1001',
  vendorProject: 'Lantern',
  product: 'Lanternd ',
  vulnerabilityName: 'Lantern Lanternd Heap Overflow Vulnerability',
  dateAdded: '2031-03-04',
  shortDescription: 'Lanternd contains a heap overflow that allows\u00a0code execution.',
  requiredAction: 'Apply mitigations per vendor instructions.',
  dueDate: '2031-03-25',
  knownRansomwareCampaignUse: 'Known',
  notes: 'https://lantern.example/a ; https://nvd.nist.gov/vuln/detail/CVE-2031-1001',
  cwes: ['CWE-122', 'CWE-787'],
};

function catalogue(entries: readonly unknown[], more: Readonly<Record<string, unknown>> = {}) {
  return JSON.stringify({
    title: 'CISA Catalog of Known Exploited Vulnerabilities',
    catalogVersion: '2031.03.04',
    dateReleased: '2031-03-04T18:59:43.6861Z',
    count: entries.length,
    vulnerabilities: entries,
    ...more,
  });
}

type Item = RiskItem | Rejection | Remark;

async function read(publication: Publication): Promise<PartManifest & { items: Item[] }> {
  const contents = await part.contents(publication);
  return { ...contents, items: await allOf(part.read(contents)) };
}

const readText = (text: string, options?: MemoryOptions) =>
  read(memoryPublication({ [address]: text }, { now: Date.UTC(2031, 2, 5), ...options }));

test('reads an entry in full and remembers the release', async () => {
  const { items, ...contents } = await readText(catalogue([entry]));
  expect(items).toEqual([
    {
      kind: 'risk',
      facts: {
        kind: 'kev',
        cve: 'CVE-2031-1001',
        vendorProject: 'Lantern',
        product: 'Lanternd',
        name: 'Lantern Lanternd Heap Overflow Vulnerability',
        description: 'Lanternd contains a heap overflow that allows\u00a0code execution.',
        requiredAction: 'Apply mitigations per vendor instructions.',
        dateAdded: Date.UTC(2031, 2, 4),
        dueDate: Date.UTC(2031, 2, 25),
        ransomware: true,
        notes: 'https://lantern.example/a ; https://nvd.nist.gov/vuln/detail/CVE-2031-1001',
        cwes: ['CWE-122', 'CWE-787'],
      },
    },
  ]);
  expect(contents).toMatchObject({
    whole: true,
    remember: { dateReleased: '2031-03-04T18:59:43.686Z', catalogVersion: '2031.03.04' },
  });
  expect(contents).not.toHaveProperty('standIn');
});

test('keeps usable odd entries and reports what it leaves empty', async () => {
  const { items } = await readText(
    catalogue([
      { cveID: ' cve-2031-1002 ', dateAdded: '2031-03-01', knownRansomwareCampaignUse: 'Unknown' },
      { ...entry, cveID: 'CVE-2031-1003', dueDate: 'soon', knownRansomwareCampaignUse: 'Yes' },
    ]),
  );
  expect(items).toEqual([
    {
      kind: 'risk',
      facts: {
        kind: 'kev',
        cve: 'CVE-2031-1002',
        vendorProject: '',
        product: '',
        name: '',
        description: '',
        requiredAction: '',
        dateAdded: Date.UTC(2031, 2, 1),
        dueDate: null,
        ransomware: false,
        notes: '',
        cwes: [],
      },
    },
    {
      kind: 'risk',
      facts: expect.objectContaining({ cve: 'CVE-2031-1003', dueDate: null, ransomware: null }),
    },
    {
      kind: 'remark',
      remark: 'CVE-2031-1003: its dueDate "soon" is not a date; it is left empty',
      keys: ['CVE-2031-1003'],
    },
    {
      kind: 'remark',
      remark:
        'CVE-2031-1003: its knownRansomwareCampaignUse "Yes" is neither Known nor Unknown; it is left empty',
      keys: ['CVE-2031-1003'],
    },
  ]);
});

test('rejects entries without an id or a date, and the second of two for one CVE', async () => {
  const { items } = await readText(
    catalogue([
      null,
      { ...entry, cveID: 'CVE-2031-' },
      { ...entry, dateAdded: '03/04/2031' },
      entry,
      { ...entry, cveID: 'cve-2031-1001', product: 'Other' },
    ]),
  );
  expect(items).toEqual([
    { kind: 'rejection', rejected: 'entry 1', keys: [], reason: 'it has no cveID', url: address },
    {
      kind: 'rejection',
      rejected: 'entry 2',
      keys: [],
      reason: 'its cveID "CVE-2031-" is no CVE id',
      url: address,
    },
    {
      kind: 'rejection',
      rejected: 'CVE-2031-1001',
      keys: ['CVE-2031-1001'],
      reason: 'its dateAdded "03/04/2031" is not a date',
      url: address,
    },
    expect.objectContaining({ facts: expect.objectContaining({ product: 'Lanternd' }) }),
    {
      kind: 'rejection',
      rejected: 'CVE-2031-1001',
      keys: ['CVE-2031-1001'],
      reason: 'it is there a second time; the first entry was read',
      url: address,
    },
  ]);
});

test('remarks on a count that does not fit and reads the entries', async () => {
  const { items } = await readText(catalogue([entry], { count: 99 }));
  expect(items).toEqual([
    { kind: 'remark', remark: 'its count of 99 differs from the number of its entries, 1' },
    expect.objectContaining({ kind: 'risk' }),
  ]);
});

test.each([
  ['cut off', catalogue([entry]).slice(0, 300), 'not valid JSON'],
  ['a page', '<html>Access Denied</html>', 'not valid JSON'],
  ['another object', '{"error":"maintenance"}', 'it has no array "vulnerabilities"'],
  ['without an entry', catalogue([]), 'there is no vulnerability in it'],
  ['without a date', catalogue([entry], { dateReleased: 7 }), '"dateReleased" is not a date'],
])('refuses a catalogue that is %s', async (_name, text, message) => {
  const publication = memoryPublication({ [address]: text });
  const refused = part.contents(publication);
  await expect(refused).rejects.toThrow(message);
  await expect(refused).rejects.toBeInstanceOf(BrokenDocument);
  expect(publication.distrusted).toEqual([address]);
});

test('refuses a catalogue older than the one that was read, and takes the same or a newer one', async () => {
  const remember = (dateReleased: string) => ({ remembered: { dateReleased } });
  await expect(readText(catalogue([entry]), remember('2031-03-04T19:00:00.000Z'))).rejects.toThrow(
    'before the catalogue of 2031-03-04T19:00:00.000Z that was read already',
  );
  for (const same of ['2031-03-04T18:59:43.686Z', '2031-03-01T00:00:00.000Z'])
    expect((await readText(catalogue([entry]), remember(same))).items).toHaveLength(1);
});

test('does not compare with a remembered date in the future', async () => {
  const remembered = { dateReleased: '2099-01-01T00:00:00.000Z' };
  expect((await readText(catalogue([entry]), { remembered })).items).toHaveLength(1);
});

test.each([
  ['refused', 403],
  ['not published', undefined],
  ['a page', '<html>Access Denied</html>'],
  ['empty', catalogue([])],
  ['older', catalogue([entry], { dateReleased: '2031-03-01T00:00:00.000Z' })],
])("reads the publisher's copy and says so when the first address is %s", async (_name, served) => {
  const publication = memoryPublication(
    { ...(served !== undefined && { [address]: served }), [copyAddress]: catalogue([entry]) },
    { now: Date.UTC(2031, 2, 5), remembered: { dateReleased: '2031-03-04T00:00:00.000Z' } },
  );
  const { items, documents, standIn, whole } = await read(publication);
  expect(items).toHaveLength(1);
  expect(documents.map(({ url }) => url)).toEqual([copyAddress]);
  expect(whole).toBe(true);
  expect(standIn).toEqual([
    {
      code: 'second_address_read',
      params: { url: copyAddress, cause: expect.objectContaining({ params: expect.anything() }) },
    },
  ]);
});

test('reports the failure of the first address when the copy fails too', async () => {
  const broken = memoryPublication({ [address]: 403, [copyAddress]: '{' });
  await expect(part.contents(broken)).rejects.toThrow(/www\.cisa\.gov.* answered 403/);
  expect(broken.distrusted).toEqual([copyAddress]);
});

const facts = (items: readonly Item[]) =>
  items.flatMap((item) => (item.kind === 'risk' ? [item.facts] : []));

describeWithRiskEdgeCases("odd catalogues of the mirror's", () => {
  const served = (name: string, more = {}) =>
    memoryPublication(
      { [address]: readFileSync(new URL(name, riskEdgeCases)) },
      { now: Date.UTC(2026, 7, 14), ...more },
    );

  test('kev-2025-08-25.json.gz: a catalogue of a year ago is refused, and read where none was read', async () => {
    const remembered = { dateReleased: '2026-08-11T18:59:43.686Z' };
    await expect(part.contents(served('kev-2025-08-25.json.gz', { remembered }))).rejects.toThrow(
      'before the catalogue of 2026-08-11',
    );
    expect((await read(served('kev-2025-08-25.json.gz'))).items).toHaveLength(1404);
  });

  test.each([
    ['kev-truncated-2025-02-25.json.gz', 'not valid JSON'],
    ['kev-empty.json', 'there is no vulnerability in it'],
    ['kev-403.html', 'not valid JSON'],
  ])('%s is refused', async (name, message) => {
    await expect(part.contents(served(name))).rejects.toThrow(message);
  });

  test('kev-odd.json: nine entries are kept, three are counted with a reason', async () => {
    const { items } = await read(served('kev-odd.json'));
    const kept = facts(items).filter((of) => of.kind === 'kev');
    expect(kept.map(({ cve }) => cve)).toEqual([
      'CVE-2026-20349',
      'CVE-2026-68820',
      'CVE-2026-72898',
      'CVE-2026-8037',
      'CVE-2026-63077',
      'CVE-2026-34486',
      'CVE-2026-18577',
      'CVE-2025-68686',
      'CVE-2026-16812',
    ]);
    const byId = new Map(kept.map((of) => [of.cve, of]));
    expect(byId.get('CVE-2026-68820')?.dueDate).toBeNull();
    expect(byId.get('CVE-2026-72898')?.ransomware).toBeNull();
    expect(byId.get('CVE-2026-8037')?.ransomware).toBeNull();
    expect(byId.get('CVE-2026-63077')?.cwes).toEqual([]);
    expect(byId.get('CVE-2026-34486')?.dueDate).toBe(Date.UTC(2026, 8, 30));
    expect(byId.get('CVE-2026-18577')?.notes).toBe(
      '<img src=x onerror=alert(1)> https://example.org ; javascript:alert(1)',
    );
    expect(byId.get('CVE-2026-16812')?.description).toHaveLength(20_000);
    expect(
      items.flatMap((item) =>
        item.kind === 'rejection' ? [`${item.rejected}: ${item.reason}`] : [],
      ),
    ).toEqual([
      'CVE-2026-34486: it is there a second time; the first entry was read',
      'CVE-2026-9198: its dateAdded "08/11/2026" is not a date',
      'entry 10: its cveID "CVE-2026-" is no CVE id',
    ]);
    expect(items).toContainEqual({
      kind: 'remark',
      remark: 'its count of 99 differs from the number of its entries, 12',
    });
  });
});

describeWithMirror('the catalogue of the mirror', () => {
  const path = 'www.cisa.gov/sites/default/files/feeds/known_exploited_vulnerabilities.json';

  test('every entry comes out with the right fields', async () => {
    const written: Record<string, string>[] = JSON.parse(
      readFileSync(new URL(path, feedMirror), 'utf8'),
    ).vulnerabilities;
    const { items } = await read(publicationFrom(feedMirror));
    expect(written).toHaveLength(1665);
    expect(facts(items)).toHaveLength(items.length);
    expect(facts(items)).toEqual(
      written.map((of) => ({
        kind: 'kev',
        cve: of.cveID,
        vendorProject: of.vendorProject?.trim(),
        product: of.product?.trim(),
        name: of.vulnerabilityName?.trim(),
        description: of.shortDescription?.trim(),
        requiredAction: of.requiredAction?.trim(),
        dateAdded: Date.parse(of.dateAdded ?? ''),
        dueDate: Date.parse(of.dueDate ?? ''),
        ransomware: of.knownRansomwareCampaignUse === 'Known',
        notes: of.notes?.trim(),
        cwes: of.cwes,
      })),
    );
  });

  test.each(['overlay-next-day', 'overlay-next-week'])(
    'the state of %s replaces it',
    async (overlay) => {
      const contents = await part.contents({
        ...publicationFrom(new URL(`${overlay}/`, riskEdgeCases)),
        remembered: { dateReleased: '2026-08-11T18:59:43.686Z' },
      });
      const { vulnerabilities } = JSON.parse(
        readFileSync(new URL(`${overlay}/${path}`, riskEdgeCases), 'utf8'),
      );
      expect(await allOf(part.read(contents))).toHaveLength(vulnerabilities.length);
    },
  );
});
