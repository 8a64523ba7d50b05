import { expect, test } from 'vitest';
import { listDocument } from '../../../parsers/list-document.ts';
import { MsrcDocument } from '../guide/msrc-document.ts';
import { windowsKbBaseList } from '../lists/windows-kb-base-list.ts';
import { OfferedUpdates } from '../scan-file/offered-updates.ts';
import { type DatedKb, KbReleaseDates } from './kb-release-dates.ts';

const month = (id: string, date: string | null) => {
  const document = new MsrcDocument(`https://guide.example/${id}`);
  document.setDate(date);
  return document;
};
const months = {
  old: month('2020-Dec', '2020-12-08T08:00:00'),
  nov: month('2025-Nov', '2025-11-11T00:00:00'),
  mar: month('2026-Mar', '2026-03-10T07:00:00'),
  apr: month('2026-Apr', '2026-04-14T07:00:00'),
  undated: month('2026-Jun', null),
} as const;
const [nov, mar, apr] = ['2025-11-11T00:00', '2026-03-10T07:00', '2026-04-14T07:00'];

/** Parses 'nov 12, apr 692 over KB1 anew 2026-06-09': fixes per month, the replaced KB, and days of revisions. */
function kb(text: string): DatedKb {
  const [, fixes = '', replaces, anew = ''] =
    /^(.*?)(?: over (\w+))?(?: anew (.*))?$/.exec(text) ?? [];
  const matches = [...fixes.matchAll(/([a-z]+) (\d+)/g)];
  return {
    fixCountByDocument: new Map(
      matches.map(([, name, count]) => [months[name as keyof typeof months], Number(count)]),
    ),
    replaces: new Set(replaces === undefined ? [] : [replaces]),
    revisions: anew
      .split(' ')
      .filter((date) => date !== '')
      .map((date) => ({
        document: months.nov,
        date: Date.parse(date.replace('!', '')),
        count: 1,
        // A day with `!` has words that name the KB.
        namesKb: date.endsWith('!'),
      })),
  };
}

/** Returns dates of KBs to the minute. Offered updates are written as 'KB1 2026-03-10T17:00' and the KBs that supersede them. */
async function resolveDates(
  kbs: Readonly<Record<string, string>>,
  offered: readonly string[] = [],
): Promise<Record<string, string | null>> {
  const records = offered.map((text, index) => {
    const [kbId = '', date, ...supersededBy] = text.split(' ');
    return {
      key: `${index}`,
      row: { kbId, title: kbId },
      detail: { ownDate: Date.parse(`${date}Z`), ownSupersededBy: supersededBy },
    };
  });
  const updates = await OfferedUpdates.read(listDocument(windowsKbBaseList, records));
  const entries = Object.entries(kbs).map(([name, text]) => [name, kb(text)] as const);
  const dates = new KbReleaseDates(new Map(entries), updates);
  return Object.fromEntries(
    Object.keys(kbs).map((name) => {
      const { taken } = dates.getReleaseDate(name);
      return [name, taken === null ? null : new Date(taken.date).toISOString().slice(0, 16)];
    }),
  );
}

const offeredBackwards = ['KB1 2026-03-10T17:00 KB2', 'KB2 2025-11-11T17:00'];
const [march, undatedKb2] = [{ KB1: mar }, { KB2: null }];

test.each<[string, Record<string, string>, Record<string, string | null>, string[]?]>([
  [
    'takes the document with most of the fixes, not the earliest',
    { KB1: 'nov 12, apr 692' },
    { KB1: apr },
  ],
  [
    'takes the earliest of several documents with as many fixes',
    { KB1: 'apr 2, nov 2, mar 1' },
    { KB1: nov },
  ],
  ['returns null when no document states a date', { KB1: 'undated 3' }, { KB1: null }],
  [
    'prefers the date of the offline scan file to any document',
    { KB1: 'nov 12, apr 692' },
    { KB1: '2026-03-24T17:00' },
    ['KB1 2026-03-24T17:00'],
  ],
  [
    'takes of several scan file days the day of the guide, else the most frequent, else the earliest',
    { KB1: 'apr 1', KB2: 'nov 1', KB3: '' },
    { KB1: '2026-04-14T17:00', KB2: '2026-04-14T17:00', KB3: '2026-03-10T17:00' },
    [
      'KB1 2026-03-10T17:00',
      'KB1 2026-03-10T18:00',
      'KB1 2026-04-14T18:00',
      'KB1 2026-04-14T17:00',
      'KB2 2026-03-10T17:00',
      'KB2 2026-04-14T17:00',
      'KB2 2026-04-14T18:00',
      'KB3 2026-04-14T17:00',
      'KB3 2026-03-10T17:00',
    ],
  ],
  [
    'replaces a date before that of a replaced KB by the date of the guide, when that is possible',
    { KB1: 'mar 1', KB2: 'nov 12, apr 692' },
    { KB2: apr },
    offeredBackwards,
  ],
  [
    'returns null when no other date is possible either',
    { KB1: 'mar 1', KB2: 'nov 1' },
    undatedKb2,
    offeredBackwards,
  ],
  [
    'does not take the date of a document with few of the fixes',
    { KB1: 'mar 1', KB2: 'nov 9, apr 1 over KB1' },
    undatedKb2,
  ],
  [
    'bounds KBs through replaced KBs without a date',
    { KB1: 'mar 1', KB2: 'nov 1 over KB1', KB3: 'nov 1 over KB2', KB4: 'apr 1 over KB3' },
    { ...march, KB2: null, KB3: null, KB4: apr },
  ],
  [
    'takes the only possible revision of the document',
    { KB1: 'mar 1', KB2: 'nov 1 over KB1 anew 2026-01-13 2026-06-09T07:00Z' },
    { KB2: '2026-06-09T07:00' },
  ],
  [
    'takes of several revisions only one whose words name the KB',
    {
      KB1: 'mar 1',
      KB2: 'nov 1 over KB1 anew 2026-05-12 2026-06-09',
      KB3: 'nov 1 over KB1 anew 2026-05-12 2026-06-09 2026-07-14T07:00Z!',
    },
    { KB2: null, KB3: '2026-07-14T07:00' },
  ],
  [
    'decides between documents with as many fixes by the possible date',
    { KB1: 'mar 1', KB2: 'nov 2, apr 2 over KB1' },
    { KB2: apr },
  ],
  [
    'accepts a date on the same day as the replaced KB',
    { KB1: 'mar 1', KB2: 'mar 1, apr 1 over KB1' },
    { KB2: mar },
  ],
  [
    'rejects a date long before those of three KBs with lower numbers',
    { KB5000001: 'mar 1', KB5000002: 'apr 1', KB5000003: 'apr 1', KB5000009: 'old 4' },
    { KB5000009: null, KB5000003: apr },
  ],
  [
    'accepts a date that fewer than three such KBs contradict',
    { KB5000001: 'mar 1', KB5000002: 'apr 1', KB5000009: 'old 4' },
    { KB5000009: '2020-12-08T08:00' },
  ],
  [
    'ignores replacements in a circle',
    { KB1: 'nov 1, apr 1 over KB2', KB2: 'mar 1 over KB1' },
    { KB1: nov, KB2: mar },
  ],
  [
    'ignores replacements in a circle in another order',
    { KB2: 'mar 1 over KB1', KB1: 'nov 1, apr 1 over KB2' },
    { KB1: nov, KB2: mar },
  ],
])('%s', async (_title, kbs, dates, offered) => {
  expect(await resolveDates(kbs, offered)).toMatchObject(dates);
});
