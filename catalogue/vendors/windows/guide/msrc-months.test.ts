import { expect, test } from 'vitest';
import { NotPublished } from '../../../definition/document-errors.ts';
import type { Document, OpenOptions, Publication } from '../../../definition/feed.ts';
import { documentFrom } from '../../../testing/document-from.ts';
import { memoryPublication } from '../../../testing/memory-publication.ts';
import { publicationFrom } from '../../../testing/publication-from.ts';
import { openMsrcMonths } from './msrc-months.ts';

const service = 'https://api.msrc.microsoft.com/cvrf/v3.0';
const fixtures = new URL('../fixtures/', import.meta.url);
const longAfter = Date.UTC(2026, 0, 31);

function month(id: string): Document {
  return { ...documentFrom(`${service}/cvrf/${id}`, ''), sha256: id };
}

const down = new Error('503');

interface RecordingPublication extends Publication {
  readonly requested: Map<string, OpenOptions | undefined>;
}

function publication(
  given: {
    now?: number;
    last?: string[];
    gone?: string[];
    failing?: string[];
    index?: string;
  } = {},
): RecordingPublication {
  const over = publicationFrom(fixtures, { now: given.now ?? longAfter });
  const requested = new Map<string, OpenOptions | undefined>();
  return {
    ...over,
    requested,
    readLast: async () => (given.last ?? []).map(month),
    async open(url, options) {
      const id = url.split('/').at(-1) as string;
      requested.set(id, options);
      if (given.failing?.includes(id)) throw down;
      if (given.gone?.includes(id)) throw new NotPublished(url);
      if (id === 'updates' && given.index !== undefined)
        return { ...month(id), text: async () => given.index as string };
      return over.open(url, options);
    },
  };
}

const ids = async (from: Publication) =>
  (await openMsrcMonths(from)).documents.map(({ url }) => url.split('/').at(-1));

test('opens every month with its date as version, and requests the newest three always', async () => {
  const from = publication();
  const readThrough: unknown = expect.any(Function);
  expect(await openMsrcMonths(from)).toMatchObject({ isComplete: true, remarks: [] });
  expect(Object.fromEntries(from.requested)).toEqual({
    updates: undefined,
    '2017-May-B': { version: '2017-05-08T07:00:00Z', lastGoodCopy: true, readThrough },
    '2018-FEB': { version: '2026-01-13T08:00:00Z', lastGoodCopy: true, readThrough },
    '2024-Jan': { lastGoodCopy: true, readThrough },
    '2024-Feb': { lastGoodCopy: true, readThrough },
    '2024-Mar': { lastGoodCopy: true, readThrough },
    '2026-Jan': { lastGoodCopy: true, readThrough },
    '2025-Dec': { lastGoodCopy: true, readThrough },
  });
});

test('reads the present and the previous month when the index lacks them, and accepts that they are missing', async () => {
  expect(await ids(publication({ now: Date.UTC(2024, 4, 1) }))).toContain('2024-Apr');
  expect(await ids(publication())).toEqual([
    '2017-May-B',
    '2018-FEB',
    '2024-Jan',
    '2024-Feb',
    '2024-Mar',
  ]);
});

test('requests months that the index lost, and reads their copies when they are gone', async () => {
  const last = ['2018-FEB', '2023-Dec', '2024-Apr'];
  const from = publication({ last });
  const { documents } = await openMsrcMonths(from);
  expect(from.requested.get('2024-Apr')).toMatchObject({ lastGoodCopy: true });
  expect(documents.find(({ url }) => url.endsWith('2024-Apr'))?.size).toBeGreaterThan(0);
  expect(documents.find(({ url }) => url.endsWith('2023-Dec'))?.sha256).toBe('2023-Dec');
});

test('adds remarks on months that the index lost, but not on the present one', async () => {
  const last = ['2018-FEB', '2023-Dec', '2024-Apr'];
  const lost = (name: string) => ({
    kind: 'remark',
    remark: `the index no longer lists ${name}; its last copy is kept`,
  });
  expect(await openMsrcMonths(publication({ last }))).toMatchObject({
    remarks: [lost('2023-Dec'), lost('2024-Apr')],
    isComplete: true,
  });
  expect(await openMsrcMonths(publication({ last, now: Date.UTC(2024, 3, 20) }))).toMatchObject({
    remarks: [lost('2023-Dec')],
  });
});

test('does not request the copy of a list as a month', async () => {
  const from = publication();
  await openMsrcMonths({
    ...from,
    readLast: async () => [month('2023-Dec'), { ...month('x'), url: 'list:kb_repository' }],
  });
  expect([...from.requested.keys()].filter((id) => id.includes('list'))).toEqual([]);
});

test('reads the copy of a listed month that is missing, and fails without one', async () => {
  const copy = (await openMsrcMonths(publication({ gone: ['2018-FEB'], last: ['2018-FEB'] })))
    .documents[1];
  expect(copy?.sha256).toBe('2018-FEB');
  await expect(openMsrcMonths(publication({ gone: ['2018-FEB'] }))).rejects.toThrow(
    '2018-FEB is not published',
  );
});

test('fails when a listed or stored month fails, but not when an unlisted one does', async () => {
  await expect(openMsrcMonths(publication({ failing: ['2018-FEB'] }))).rejects.toBe(down);
  await expect(
    openMsrcMonths(publication({ failing: ['2023-Dec'], last: ['2023-Dec'] })),
  ).rejects.toBe(down);
  expect(await ids(publication({ failing: ['2026-Jan'] }))).toHaveLength(5);
});

test('requests a month once in any spelling', async () => {
  const from = publication({ now: Date.UTC(2018, 1, 20) });
  await openMsrcMonths(from);
  expect(from.requested.has('2018-Feb')).toBe(false);
  expect(from.requested.has('2018-Jan')).toBe(true);
});

test.each([
  ['<html>', 'it is not valid JSON'],
  ['{"value":[]}', 'it names no month that can be read'],
  ['{"value":[{"ID":"../../etc"}]}', 'it names no month that can be read'],
  ['{"value":{}}', 'it is not the index of the months: value'],
])('refuses the index %s', async (index, problem) => {
  await expect(openMsrcMonths(publication({ index }))).rejects.toThrow(
    `${service}/cvrf/updates cannot be read: ${problem}`,
  );
});

test('reads the valid months of an index, and reports the others', async () => {
  const index = JSON.stringify({
    value: [{ ID: '2024-Jan', InitialReleaseDate: 5 }, { ID: '../etc' }, 'June'],
  });
  const { documents, remarks } = await openMsrcMonths(publication({ index }));
  expect(documents.map(({ url }) => url)).toEqual([`${service}/cvrf/2024-Jan`]);
  expect(remarks).toMatchObject([
    {
      kind: 'rejection',
      rejected: 'month 2 of the index',
      reason: 'ID: it is not the name of a month',
    },
    {
      kind: 'rejection',
      rejected: 'month 3 of the index',
      reason: 'the record: Invalid input: expected object, received string',
    },
  ]);
});

const cvrf = (id: string | null, inside = '<vuln:Vulnerability/>') =>
  `<cvrf:cvrfdoc xmlns:cvrf="c" xmlns:vuln="v"><cvrf:DocumentTracking>${id === null ? '' : `<cvrf:Identification><cvrf:ID>${id}</cvrf:ID></cvrf:Identification>`}</cvrf:DocumentTracking>${inside}</cvrf:cvrfdoc>`;
const january = `${service}/cvrf/2026-Jan`;
const lastJanuary = documentFrom(january, cvrf('2026-Jan'));

const served = (text: string, last: readonly Document[]) =>
  memoryPublication(
    { [`${service}/updates`]: JSON.stringify({ value: [{ ID: '2026-Jan' }] }), [january]: text },
    { now: Date.UTC(2026, 4, 1), last },
  );

test.each([
  ['is another month', cvrf('2026-Feb'), 'it is 2026-Feb, not 2026-Jan'],
  ['is another document of that month', cvrf('2026-Jan-B'), 'it is 2026-Jan-B, not 2026-Jan'],
  ['states no id', cvrf(null), 'it does not state that it is 2026-Jan'],
  ['has lost its vulnerabilities', cvrf('2026-Jan', ''), 'it contains no vulnerability'],
  ['ends after its first vulnerability', cvrf('2026-Jan').slice(0, -20), 'cvrf:cvrfdoc'],
])('reads the last copy of a month when the one served %s', async (_, text, reason) => {
  const from = served(text, [lastJanuary]);
  const { documents } = await openMsrcMonths(from);
  expect(documents).toEqual([lastJanuary]);
  expect(from.copiesRead).toEqual([expect.stringContaining(reason)]);
});

test('throws when another month is served and no copy is stored', async () => {
  await expect(openMsrcMonths(served(cvrf('2026-Feb'), []))).rejects.toThrow(
    'it is 2026-Feb, not 2026-Jan',
  );
});

test.each([
  ['in other letters', cvrf('2026-JAN'), [lastJanuary]],
  ['without vulnerabilities when it never had any', cvrf('2026-Jan', ''), []],
])('reads a month %s', async (_, text, last) => {
  const from = served(text, last);
  const [document] = (await openMsrcMonths(from)).documents;
  expect(await document?.text()).toBe(text);
  expect(from.copiesRead).toEqual([]);
});
