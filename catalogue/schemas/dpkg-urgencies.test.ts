import { expect, test } from 'vitest';
import { documentFrom } from '../testing/document-from.ts';
import { noUrgency, priorityOf, readUrgencies, trackerAddress } from './dpkg-urgencies.ts';

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
])('%j is %s', (urgency, priority) => {
  expect(priorityOf(urgency)).toBe(priority);
});

const tracker = (records: unknown) => documentFrom(trackerAddress, JSON.stringify(records));
const releases = (codename: string, urgency: unknown) => ({
  releases: { [codename]: { urgency } },
});

const said = (priority: string, vendorPriority: string) => ({
  priority,
  vendorPriority,
  unknownWords: [],
});

test('the highest of the CVEs that were asked for, on that release', async () => {
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
    urgencies.of('wick', 'trixie', ['CVE-2031-0001', 'CVE-2031-0002', 'CVE-2031-0003']),
  ).toEqual(said('medium', 'medium'));
  expect(urgencies.of('wick', 'trixie', ['CVE-2031-0001'])).toEqual(said('low', 'low**'));
  expect(urgencies.of('wick', 'bookworm', ['CVE-2031-0003'])).toEqual(said('high', 'high'));
  for (const none of [[], ['CVE-2031-0004'], ['CVE-2031-0003']])
    expect(urgencies.of('wick', 'trixie', none)).toEqual(noUrgency);
  expect(urgencies.of('other', 'trixie', ['CVE-2031-0001'])).toEqual(noUrgency);
});

test('an urgency that is not known is reported, and kept as it is written', async () => {
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
  expect(urgencies.of('wick', 'trixie', ['CVE-2031-0001', 'CVE-2031-0002'])).toEqual({
    priority: 'unassigned',
    vendorPriority: 'Dire',
    unknownWords: [{ vocabulary: 'urgency', word: 'Dire', shownAs: 'unassigned' }],
  });
  expect(urgencies.of('wick', 'trixie', ['CVE-2031-0002'])).toEqual(
    said('unassigned', 'not yet assigned'),
  );
});

test('records of another form assign nothing', async () => {
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
  const records = Object.fromEntries(odd.map((record, place) => [`CVE-2031-000${place}`, record]));
  const cves = Object.keys(records);
  const urgencies = await readUrgencies(
    tracker({ wick: records, candle: [], snuffer: null }),
    new Map([
      ['wick', new Set(cves)],
      ['candle', new Set(cves)],
    ]),
  );
  expect(urgencies.of('wick', 'trixie', cves)).toEqual(noUrgency);
});

test('a tracker that is broken or something else throws', async () => {
  await expect(readUrgencies(tracker([]), new Map())).rejects.toThrow('not valid JSON near');
  await expect(
    readUrgencies(documentFrom(trackerAddress, '{"wick":{"CVE-20'), new Map()),
  ).rejects.toThrow('ends too early');
});
