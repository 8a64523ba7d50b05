import { expect, test } from 'vitest';
import type { Publication } from '../definition/feed.ts';
import { BrokenDocument } from '../parsers/create-document.ts';
import { formatMessages } from '../testing/feed-reader.ts';
import { findPart } from '../testing/find-part.ts';
import { type MemoryOptions, memoryPublication } from '../testing/memory-publication.ts';
import { readCompletePart } from '../testing/read-complete-part.ts';
import { kevFeed } from './kev-feed.ts';

const address =
  'https://www.cisa.gov/sites/default/files/feeds/known_exploited_vulnerabilities.json';
const copyAddress =
  'https://raw.githubusercontent.com/cisagov/kev-data/develop/known_exploited_vulnerabilities.json';

const part = findPart(kevFeed, 'kev');

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

const read = (publication: Publication) => readCompletePart(part, publication);

const readText = (text: string, options?: MemoryOptions) =>
  read(memoryPublication({ [address]: text }, { now: Date.UTC(2031, 2, 5), ...options }));

test('reads every field of an entry and remembers the release', async () => {
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
    isComplete: true,
    remember: { dateReleased: '2031-03-04T18:59:43.686Z', catalogVersion: '2031.03.04' },
  });
  expect(contents).not.toHaveProperty('standIn');
});

test('accepts odd entries and reports the fields left empty', async () => {
  const { items } = await readText(
    catalogue([
      { cveID: ' cve-2031-1002 ', dateAdded: '2031-03-01', knownRansomwareCampaignUse: 'Unknown' },
      { ...entry, cveID: 'CVE-2031-1003', dueDate: 'soon', knownRansomwareCampaignUse: 'Yes' },
    ]),
  );
  const words = ['vendorProject', 'product', 'name', 'description', 'requiredAction', 'notes'];
  expect(items.flatMap((item) => (item.kind === 'risk' ? item.facts : []))).toEqual([
    {
      ...Object.fromEntries(words.map((name) => [name, ''])),
      kind: 'kev',
      cve: 'CVE-2031-1002',
      dateAdded: Date.UTC(2031, 2, 1),
      dueDate: null,
      ransomware: false,
      cwes: [],
    },
    expect.objectContaining({ cve: 'CVE-2031-1003', dueDate: null, ransomware: null }),
  ]);
  expect(items.filter(({ kind }) => kind === 'remark')).toMatchObject([
    { remark: 'CVE-2031-1003: its dueDate "soon" is not a date; it is left empty' },
    {
      remark:
        'CVE-2031-1003: its knownRansomwareCampaignUse "Yes" is neither Known nor Unknown; it is left empty',
      keys: ['CVE-2031-1003'],
    },
  ]);
});

test('rejects entries without an id or a date, and repeated CVEs', async () => {
  const { items } = await readText(
    catalogue([
      null,
      { ...entry, cveID: 'CVE-2031-' },
      { ...entry, dateAdded: '03/04/2031' },
      entry,
      { ...entry, cveID: 'cve-2031-1001', product: 'Other' },
    ]),
  );
  expect(formatMessages(items)).toEqual([
    'entry 1: it has no cveID []',
    'entry 2: its cveID "CVE-2031-" is not a CVE id []',
    'CVE-2031-1001: its dateAdded "03/04/2031" is not a date [CVE-2031-1001]',
    'CVE-2031-1001: it occurs twice; the first entry was read [CVE-2031-1001]',
  ]);
  expect(items[0]).toMatchObject({ url: address });
  expect(items[3]).toMatchObject({ facts: { product: 'Lanternd' } });
});

test('adds a remark on a catalogue without a count', async () => {
  const { items } = await readText(catalogue([entry], { count: undefined }));
  expect(items).toEqual([
    { kind: 'remark', remark: 'it does not state how many entries it has' },
    expect.objectContaining({ kind: 'risk' }),
  ]);
  expect((await readText(catalogue([entry], { count: '1' }))).items).toHaveLength(1);
});

test('reads CWE ids from one text and adds remarks on values of another type', async () => {
  const { items } = await readText(
    catalogue([
      { ...entry, cwes: 'CWE-122, CWE-787' },
      { ...entry, cveID: 'CVE-2031-1002', product: ['Lanternd'], cwes: { id: 'CWE-122' } },
    ]),
  );
  expect(items).toMatchObject([
    { kind: 'risk', facts: { cwes: ['CWE-122', 'CWE-787'] } },
    { kind: 'risk', facts: { product: '', cwes: [] } },
    { remark: 'CVE-2031-1002: its product is not a text; it is left empty' },
    { remark: 'CVE-2031-1002: its cwes are not a list of ids; they are left empty' },
  ]);
});

test.each([
  ['cut off', catalogue([entry]).slice(0, 300), 'not valid JSON'],
  ['a page', '<html>Access Denied</html>', 'not valid JSON'],
  ['another object', '{"error":"maintenance"}', 'it has no array "vulnerabilities"'],
  ['without an entry', catalogue([]), 'it contains no vulnerability'],
  ['without a date', catalogue([entry], { dateReleased: 7 }), '"dateReleased" is not a date'],
  ['longer than it counts', catalogue([entry, entry], { count: 1 }), 'its count of 1 differs'],
  ['shorter than it counts', catalogue([entry], { count: 99 }), 'its count of 99 differs'],
  [
    'another catalogue',
    catalogue([entry], { title: 'Lantern Catalog' }),
    'it is "Lantern Catalog", not',
  ],
])('refuses a catalogue that is %s', async (_name, text, message) => {
  const publication = memoryPublication({ [address]: text });
  const refused = part.contents(publication);
  await expect(refused).rejects.toThrow(message);
  await expect(refused).rejects.toBeInstanceOf(BrokenDocument);
  expect(publication.distrusted).toEqual([address]);
});

test('refuses a catalogue older than the last one, and accepts the same or a newer one', async () => {
  const remember = (dateReleased: string) => ({ remembered: { dateReleased } });
  await expect(readText(catalogue([entry]), remember('2031-03-04T19:00:00.000Z'))).rejects.toThrow(
    'before the catalogue of 2031-03-04T19:00:00.000Z that was read already',
  );
  for (const same of ['2031-03-04T18:59:43.686Z', '2031-03-01T00:00:00.000Z'])
    expect((await readText(catalogue([entry]), remember(same))).items).toHaveLength(1);
});

test('ignores a remembered date in the future', async () => {
  const remembered = { dateReleased: '2099-01-01T00:00:00.000Z' };
  expect((await readText(catalogue([entry]), { remembered })).items).toHaveLength(1);
});

test.each([
  ['refused', 403],
  ['not published', undefined],
  ['a page', '<html>Access Denied</html>'],
  ['empty', catalogue([])],
  ['older', catalogue([entry], { dateReleased: '2031-03-01T00:00:00.000Z' })],
])(
  "reads the publisher's copy with a remark when the first address is %s",
  async (_name, served) => {
    const publication = memoryPublication(
      { ...(served !== undefined && { [address]: served }), [copyAddress]: catalogue([entry]) },
      { now: Date.UTC(2031, 2, 5), remembered: { dateReleased: '2031-03-04T00:00:00.000Z' } },
    );
    const { items, documents, standIn, isComplete } = await read(publication);
    expect(items).toHaveLength(1);
    expect(documents.map(({ url }) => url)).toEqual([copyAddress]);
    expect(isComplete).toBe(true);
    expect(standIn).toEqual([
      {
        code: 'second_address_read',
        params: { url: copyAddress, cause: expect.objectContaining({ params: expect.anything() }) },
      },
    ]);
  },
);

test('reports the failure of the first address when the copy fails too', async () => {
  const broken = memoryPublication({ [address]: 403, [copyAddress]: '{' });
  await expect(part.contents(broken)).rejects.toThrow(/www\.cisa\.gov.* answered 403/);
  expect(broken.distrusted).toEqual([copyAddress]);
});
