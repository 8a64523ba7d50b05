import { expect, test } from 'vitest';
import { documentFrom } from '../testing/document-from.ts';
import { noUrgency, readUrgencies, toPriority, trackerAddress } from './dpkg-tracker.ts';

test.each([
  ['high', 'high'],
  ['high**', 'high'],
  ['Medium*', 'medium'],
  ['low**', 'low'],
  ['unimportant', 'unimportant'],
  ['end-of-life', 'end-of-life'],
  ['not yet assigned', 'unassigned'],
  ['constructor', 'unassigned'],
  ['', 'unassigned'],
  [null, 'unassigned'],
  [7, 'unassigned'],
])('maps the urgency %j to %s', (urgency, priority) => {
  expect(toPriority(urgency)).toBe(priority);
});

const tracker = (records: unknown) => documentFrom(trackerAddress, JSON.stringify(records));
const releases = (codename: string, urgency: unknown) => ({
  releases: { [codename]: { urgency } },
});

const createUrgency = (priority: string, vendorPriority: string) => ({
  priority,
  vendorPriority,
  unknownWords: [],
});

test('returns the highest urgency of the requested CVEs on the release', async () => {
  const records = {
    wick: {
      'CVE-2031-0001': releases('trixie', 'low**'),
      'CVE-2031-0002': releases('trixie', 'medium'),
      'CVE-2031-0003': releases('bookworm', 'high'),
      'CVE-2031-0004': releases('trixie', 'high'),
    },
    other: { 'CVE-2031-0001': releases('trixie', 'high') },
  };
  const urgencies = await readUrgencies(
    tracker(records),
    new Map([['wick', new Set(['CVE-2031-0001', 'CVE-2031-0002', 'CVE-2031-0003'])]]),
  );
  expect(
    urgencies.getUrgency('wick', 'trixie', ['CVE-2031-0001', 'CVE-2031-0002', 'CVE-2031-0003']),
  ).toEqual(createUrgency('medium', 'medium'));
  expect(urgencies.getUrgency('wick', 'trixie', ['CVE-2031-0001'])).toEqual(
    createUrgency('low', 'low**'),
  );
  expect(urgencies.getUrgency('wick', 'bookworm', ['CVE-2031-0003'])).toEqual(
    createUrgency('high', 'high'),
  );
  for (const unmatched of [[], ['CVE-2031-0004'], ['CVE-2031-0003']])
    expect(urgencies.getUrgency('wick', 'trixie', unmatched)).toEqual(noUrgency);
  expect(urgencies.getUrgency('other', 'trixie', ['CVE-2031-0001'])).toEqual(noUrgency);
});

test('reports an unknown urgency and returns it as written', async () => {
  const records = {
    wick: {
      'CVE-2031-0001': releases('trixie', 'Dire'),
      'CVE-2031-0002': releases('trixie', 'not yet assigned'),
    },
  };
  const urgencies = await readUrgencies(
    tracker(records),
    new Map([['wick', new Set(Object.keys(records.wick))]]),
  );
  expect(urgencies.getUrgency('wick', 'trixie', ['CVE-2031-0001', 'CVE-2031-0002'])).toEqual({
    priority: 'unassigned',
    vendorPriority: 'Dire',
    unknownWords: [{ vocabulary: 'urgency', word: 'Dire', shownAs: 'unassigned' }],
  });
  expect(urgencies.getUrgency('wick', 'trixie', ['CVE-2031-0002'])).toEqual(
    createUrgency('unassigned', 'not yet assigned'),
  );
});

test('assigns no urgency from records of another form', async () => {
  const odd = [
    null,
    3,
    'x',
    [],
    {},
    { releases: [] },
    { releases: null },
    { releases: { trixie: null } },
    { releases: { trixie: { urgency: {} } } },
  ];
  const records = Object.fromEntries(odd.map((record, index) => [`CVE-2031-000${index}`, record]));
  const cves = Object.keys(records);
  const urgencies = await readUrgencies(
    tracker({ wick: records, candle: [], snuffer: null }),
    new Map([
      ['wick', new Set(cves)],
      ['candle', new Set(cves)],
    ]),
  );
  expect(urgencies.getUrgency('wick', 'trixie', cves)).toEqual(noUrgency);
});

test("throws BrokenDocument when the tracker's document is truncated or of another kind", async () => {
  await expect(readUrgencies(tracker([]), new Map())).rejects.toThrow('not valid JSON near');
  await expect(
    readUrgencies(documentFrom(trackerAddress, '{"wick":{"CVE-20'), new Map()),
  ).rejects.toThrow('ends too early');
});
