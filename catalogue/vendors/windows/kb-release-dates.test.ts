import { describe, expect, test } from 'vitest';
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
const november = month('2025-Nov', '2025-11-11T00:00:00');
const march = month('2026-Mar', '2026-03-10T07:00:00');
const april = month('2026-Apr', '2026-04-14T07:00:00');

type Fixes = readonly (readonly [MsrcDocument, number])[];
const kb = (namedIn: Fixes, ...replaces: string[]): DatedKb => ({
  namedIn: new Map(namedIn),
  revisions: [],
  replaces: new Set(replaces),
});

const revision = (document: MsrcDocument, date: string, namesKb = false) => ({
  document,
  date: Date.parse(date),
  count: 1,
  namesKb,
});

interface Offered {
  readonly kbId: string;
  readonly date: string;
  readonly supersededBy?: readonly string[];
}

async function datesOf(kbs: Readonly<Record<string, DatedKb>>, offered: readonly Offered[] = []) {
  const records = offered.map(({ kbId, date, supersededBy = [] }, place) => ({
    key: `${place}`,
    row: { kbId, title: kbId },
    detail: { ownDate: Date.parse(date), ownSupersededBy: supersededBy },
  }));
  const updates = await OfferedUpdates.read(listDocument(windowsKbBaseList, records));
  const dates = new KbReleaseDates(new Map(Object.entries(kbs)), updates);
  return (name: string) => {
    const { taken } = dates.of(name);
    return taken === null ? null : new Date(taken.date).toISOString();
  };
}

describe('without the offline scan file', () => {
  test('the document in which most of its fixes stand dates a KB, not the earliest', async () => {
    const dateOf = await datesOf({
      KB1: kb([
        [november, 12],
        [april, 692],
      ]),
    });
    expect(dateOf('KB1')).toBe('2026-04-14T07:00:00.000Z');
  });

  test('of several with as many fixes the earliest counts', async () => {
    const dateOf = await datesOf({
      KB1: kb([
        [april, 2],
        [november, 2],
        [march, 1],
      ]),
    });
    expect(dateOf('KB1')).toBe('2025-11-11T00:00:00.000Z');
  });

  test('where no document states a date there is none', async () => {
    const dateOf = await datesOf({ KB1: kb([[month('2026-Jun', null), 3]]) });
    expect(dateOf('KB1')).toBeNull();
  });
});

describe('with the offline scan file', () => {
  test('its date counts before that of any document', async () => {
    const dateOf = await datesOf(
      {
        KB1: kb([
          [november, 12],
          [april, 692],
        ]),
      },
      [{ kbId: 'KB1', date: '2026-03-24T17:00:03Z' }],
    );
    expect(dateOf('KB1')).toBe('2026-03-24T17:00:03.000Z');
  });

  test('of several days the one of the guide counts, else the one that most updates have, else the earliest', async () => {
    const dateOf = await datesOf({ KB1: kb([[april, 1]]), KB2: kb([[november, 1]]), KB3: kb([]) }, [
      { kbId: 'KB1', date: '2026-03-10T17:00:00Z' },
      { kbId: 'KB1', date: '2026-03-10T18:00:00Z' },
      { kbId: 'KB1', date: '2026-04-14T18:00:00Z' },
      { kbId: 'KB1', date: '2026-04-14T17:00:00Z' },
      { kbId: 'KB2', date: '2026-03-10T17:00:00Z' },
      { kbId: 'KB2', date: '2026-04-14T17:00:00Z' },
      { kbId: 'KB2', date: '2026-04-14T18:00:00Z' },
      { kbId: 'KB3', date: '2026-04-14T17:00:00Z' },
      { kbId: 'KB3', date: '2026-03-10T17:00:00Z' },
    ]);
    expect(['KB1', 'KB2', 'KB3'].map(dateOf)).toEqual([
      '2026-04-14T17:00:00.000Z',
      '2026-04-14T17:00:00.000Z',
      '2026-03-10T17:00:00.000Z',
    ]);
  });
});

describe('a date before that of a KB that is replaced', () => {
  const offered = [
    { kbId: 'KB1', date: '2026-03-10T17:00:00Z', supersededBy: ['KB2'] },
    { kbId: 'KB2', date: '2025-11-11T17:00:00Z' },
  ];

  test('gives way to the guide, where that is not before it too', async () => {
    const dateOf = await datesOf(
      {
        KB1: kb([[march, 1]]),
        KB2: kb([
          [november, 12],
          [april, 692],
        ]),
      },
      offered,
    );
    expect(dateOf('KB2')).toBe('2026-04-14T07:00:00.000Z');
  });

  test('leaves the day open where no other date resolves it', async () => {
    const dateOf = await datesOf({ KB1: kb([[march, 1]]), KB2: kb([[november, 1]]) }, offered);
    expect(dateOf('KB2')).toBeNull();
  });

  test('does not give way to a document with few of the fixes', async () => {
    const dateOf = await datesOf({
      KB1: kb([[march, 1]]),
      KB2: kb(
        [
          [november, 9],
          [april, 1],
        ],
        'KB1',
      ),
    });
    expect(dateOf('KB2')).toBeNull();
  });

  test('bounds the KBs that replace one of which no document states the day', async () => {
    const dateOf = await datesOf({
      KB1: kb([[march, 1]]),
      KB2: kb([[november, 1]], 'KB1'),
      KB3: kb([[november, 1]], 'KB2'),
      KB4: kb([[april, 1]], 'KB3'),
    });
    expect(['KB2', 'KB3', 'KB4'].map(dateOf)).toEqual([null, null, '2026-04-14T07:00:00.000Z']);
  });

  test('gives way to the one day on which the document was published anew', async () => {
    const dateOf = await datesOf({
      KB1: kb([[march, 1]]),
      KB2: {
        ...kb([[november, 1]], 'KB1'),
        revisions: [revision(november, '2026-01-13'), revision(november, '2026-06-09T07:00:00Z')],
      },
    });
    expect(dateOf('KB2')).toBe('2026-06-09T07:00:00.000Z');
  });

  test('gives way to none of several such days, except to one whose words name the KB', async () => {
    const days = [revision(november, '2026-05-12'), revision(november, '2026-06-09')];
    const dateOf = await datesOf({
      KB1: kb([[march, 1]]),
      KB2: { ...kb([[november, 1]], 'KB1'), revisions: days },
      KB3: {
        ...kb([[november, 1]], 'KB1'),
        revisions: [...days, revision(november, '2026-07-14T07:00:00Z', true)],
      },
    });
    expect(['KB2', 'KB3'].map(dateOf)).toEqual([null, '2026-07-14T07:00:00.000Z']);
  });

  test('decides between documents with as many fixes', async () => {
    const dateOf = await datesOf({
      KB1: kb([[march, 1]]),
      KB2: kb(
        [
          [november, 2],
          [april, 2],
        ],
        'KB1',
      ),
    });
    expect(dateOf('KB2')).toBe('2026-04-14T07:00:00.000Z');
  });

  test('does not give way on the same day', async () => {
    const dateOf = await datesOf({
      KB1: kb([[march, 1]]),
      KB2: kb(
        [
          [march, 1],
          [april, 1],
        ],
        'KB1',
      ),
    });
    expect(dateOf('KB2')).toBe('2026-03-10T07:00:00.000Z');
  });
});

describe('a date long before those of KBs with lower numbers', () => {
  const lower = { KB5000001: kb([[march, 1]]), KB5000002: kb([[april, 1]]) };
  const old = month('2020-Dec', '2020-12-08T08:00:00');

  test('is not the day of the KB', async () => {
    const dateOf = await datesOf({
      ...lower,
      KB5000003: kb([[april, 1]]),
      KB5000009: kb([[old, 4]]),
    });
    expect(dateOf('KB5000009')).toBeNull();
    expect(dateOf('KB5000003')).toBe('2026-04-14T07:00:00.000Z');
  });

  test('stands while fewer than three of them contradict it', async () => {
    const dateOf = await datesOf({ ...lower, KB5000009: kb([[old, 4]]) });
    expect(dateOf('KB5000009')).toBe('2020-12-08T08:00:00.000Z');
  });
});

test('KBs that replace each other do not date each other, in whatever order they come', async () => {
  const one = kb(
    [
      [november, 1],
      [april, 1],
    ],
    'KB2',
  );
  const other = kb([[march, 1]], 'KB1');
  const dates = await Promise.all([
    datesOf({ KB1: one, KB2: other }),
    datesOf({ KB2: other, KB1: one }),
  ]);
  expect(dates.map((dateOf) => [dateOf('KB1'), dateOf('KB2')])).toEqual([
    ['2025-11-11T00:00:00.000Z', '2026-03-10T07:00:00.000Z'],
    ['2025-11-11T00:00:00.000Z', '2026-03-10T07:00:00.000Z'],
  ]);
});
