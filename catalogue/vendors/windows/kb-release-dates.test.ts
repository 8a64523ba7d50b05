import { expect, test } from 'vitest';
import { listDocument } from '../../parsers/list-document.ts';
import { type DatedKb, KbReleaseDates } from './kb-release-dates.ts';
import { MsrcDocument } from './msrc-document.ts';
import { OfferedUpdates } from './offered-updates.ts';
import { windowsKbBaseList } from './windows-kb-base-list.ts';

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

/** 'nov 12, apr 692 over KB1 anew 2026-06-09': in which months it has how many fixes, what it replaces, when they were published anew. */
function kb(text: string): DatedKb {
  const [, fixes = '', replaces, anew = ''] =
    /^(.*?)(?: over (\w+))?(?: anew (.*))?$/.exec(text) ?? [];
  const named = [...fixes.matchAll(/([a-z]+) (\d+)/g)];
  return {
    namedIn: new Map(
      named.map(([, name, count]) => [months[name as keyof typeof months], Number(count)]),
    ),
    replaces: new Set(replaces === undefined ? [] : [replaces]),
    revisions: anew
      .split(' ')
      .filter((date) => date !== '')
      .map((date) => ({
        document: months.nov,
        date: Date.parse(date.replace('!', '')),
        count: 1,
        // Its words name the KB.
        namesKb: date.endsWith('!'),
      })),
  };
}

/** Dates of KBs to the minute; an update that is offered as 'KB1 2026-03-10T17:00' may be superseded by another. */
async function datesOf(
  kbs: Readonly<Record<string, string>>,
  offered: readonly string[] = [],
): Promise<Record<string, string | null>> {
  const records = offered.map((text, place) => {
    const [kbId = '', date, ...supersededBy] = text.split(' ');
    return {
      key: `${place}`,
      row: { kbId, title: kbId },
      detail: { ownDate: Date.parse(`${date}Z`), ownSupersededBy: supersededBy },
    };
  });
  const updates = await OfferedUpdates.read(listDocument(windowsKbBaseList, records));
  const entries = Object.entries(kbs).map(([name, text]) => [name, kb(text)] as const);
  const dates = new KbReleaseDates(new Map(entries), updates);
  return Object.fromEntries(
    Object.keys(kbs).map((name) => {
      const { taken } = dates.of(name);
      return [name, taken === null ? null : new Date(taken.date).toISOString().slice(0, 16)];
    }),
  );
}

const offeredBackwards = ['KB1 2026-03-10T17:00 KB2', 'KB2 2025-11-11T17:00'];
const [march, none] = [{ KB1: mar }, { KB2: null }];

test.each<[string, Record<string, string>, Record<string, string | null>, string[]?]>([
  [
    'the document in which most of its fixes stand dates a KB, not the earliest',
    { KB1: 'nov 12, apr 692' },
    { KB1: apr },
  ],
  [
    'of several with as many fixes the earliest counts',
    { KB1: 'apr 2, nov 2, mar 1' },
    { KB1: nov },
  ],
  ['where no document states a date there is none', { KB1: 'undated 3' }, { KB1: null }],
  [
    'the date of the offline scan file counts before that of any document',
    { KB1: 'nov 12, apr 692' },
    { KB1: '2026-03-24T17:00' },
    ['KB1 2026-03-24T17:00'],
  ],
  [
    'of several days of the file the one of the guide counts, else the one that most updates have, else the earliest',
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
    'a date before that of a KB that is replaced gives way to the guide, where that is not before it too',
    { KB1: 'mar 1', KB2: 'nov 12, apr 692' },
    { KB2: apr },
    offeredBackwards,
  ],
  [
    'it leaves the day open where no other date resolves it',
    { KB1: 'mar 1', KB2: 'nov 1' },
    none,
    offeredBackwards,
  ],
  [
    'it does not give way to a document with few of the fixes',
    { KB1: 'mar 1', KB2: 'nov 9, apr 1 over KB1' },
    none,
  ],
  [
    'it bounds the KBs that replace one of which no document states the day',
    { KB1: 'mar 1', KB2: 'nov 1 over KB1', KB3: 'nov 1 over KB2', KB4: 'apr 1 over KB3' },
    { ...march, KB2: null, KB3: null, KB4: apr },
  ],
  [
    'it gives way to the one day on which the document was published anew',
    { KB1: 'mar 1', KB2: 'nov 1 over KB1 anew 2026-01-13 2026-06-09T07:00Z' },
    { KB2: '2026-06-09T07:00' },
  ],
  [
    'it gives way to none of several such days, except to one whose words name the KB',
    {
      KB1: 'mar 1',
      KB2: 'nov 1 over KB1 anew 2026-05-12 2026-06-09',
      KB3: 'nov 1 over KB1 anew 2026-05-12 2026-06-09 2026-07-14T07:00Z!',
    },
    { KB2: null, KB3: '2026-07-14T07:00' },
  ],
  [
    'it decides between documents with as many fixes',
    { KB1: 'mar 1', KB2: 'nov 2, apr 2 over KB1' },
    { KB2: apr },
  ],
  [
    'it does not give way on the same day',
    { KB1: 'mar 1', KB2: 'mar 1, apr 1 over KB1' },
    { KB2: mar },
  ],
  [
    'a date long before those of three KBs with lower numbers is not the day of the KB',
    { KB5000001: 'mar 1', KB5000002: 'apr 1', KB5000003: 'apr 1', KB5000009: 'old 4' },
    { KB5000009: null, KB5000003: apr },
  ],
  [
    'it stands while fewer than three of them contradict it',
    { KB5000001: 'mar 1', KB5000002: 'apr 1', KB5000009: 'old 4' },
    { KB5000009: '2020-12-08T08:00' },
  ],
  [
    'KBs that replace each other do not date each other',
    { KB1: 'nov 1, apr 1 over KB2', KB2: 'mar 1 over KB1' },
    { KB1: nov, KB2: mar },
  ],
  [
    'they do not in another order either',
    { KB2: 'mar 1 over KB1', KB1: 'nov 1, apr 1 over KB2' },
    { KB1: nov, KB2: mar },
  ],
])('%s', async (_title, kbs, dates, offered) => {
  expect(await datesOf(kbs, offered)).toMatchObject(dates);
});
