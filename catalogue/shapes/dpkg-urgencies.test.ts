import { expect, test } from 'vitest';
import { documentFrom } from '../testing/document-from.ts';
import { priorityOf, readUrgencies, trackerAddress } from './dpkg-urgencies.ts';

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
const releases = (codename: string, urgency: unknown) => ({ releases: { [codename]: { urgency } } });

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
  expect(urgencies.of('wick', 'trixie', ['CVE-2031-0001', 'CVE-2031-0002', 'CVE-2031-0003'])).toBe('medium');
  expect(urgencies.of('wick', 'trixie', ['CVE-2031-0001'])).toBe('low');
  expect(urgencies.of('wick', 'bookworm', ['CVE-2031-0003'])).toBe('high');
  for (const none of [[], ['CVE-2031-0004'], ['CVE-2031-0003']]) expect(urgencies.of('wick', 'trixie', none)).toBe('unassigned');
  expect(urgencies.of('other', 'trixie', ['CVE-2031-0001'])).toBe('unassigned');
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
  expect(urgencies.of('wick', 'trixie', cves)).toBe('unassigned');
});

test('a tracker that is broken or something else throws', async () => {
  await expect(readUrgencies(tracker([]), new Map())).rejects.toThrow('not valid JSON near');
  await expect(readUrgencies(documentFrom(trackerAddress, '{"wick":{"CVE-20'), new Map())).rejects.toThrow('ends too early');
});
