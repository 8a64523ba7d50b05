import { catalogueLists, getList } from '@patch/catalogue/lists.ts';
import { relativeTimes } from '@patch/contract/dates/relative-date.ts';
import { readCriteria, writeCriteria } from '@patch/contract/filter/criteria-text.ts';
import type { FieldCriterion } from '@patch/contract/filter/criterion.ts';
import { randomCriterionOf } from '@patch/contract/testing/random-criteria.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  applyChange,
  getLastPage,
  getViewToOpen,
  type ListState,
  listSearchSchema,
  readListState,
  writeFullState,
  writeListState,
} from './list-url.ts';

const when = { now: Date.UTC(2024, 5, 15, 12), timeZone: 'UTC' };
const almalinux = getList('almalinux_patch');

const values = {
  words: fc.oneof(fc.string({ minLength: 1 }), fc.stringMatching(/^[*.\-a]{1,6}$/)),
  numbers: fc.integer({ min: 0, max: 2 ** 52 }),
  instants: fc.integer({ min: -8.64e15, max: 8.64e15 }),
  relative: fc.constantFrom(
    ...relativeTimes.filter((time) => time !== 'custom' && time !== 'overdue'),
    'last_30_days',
  ),
};

const anyCriteria = fc.constantFrom(...catalogueLists).chain((list) =>
  fc
    .uniqueArray(fc.constantFrom(...list.searchable), { maxLength: 4 })
    .chain((names) => fc.tuple(...names.map((name) => randomCriterionOf(list, name, values))))
    .map((criteria) => ({ list, criteria })),
);

describe('criteria in an address', () => {
  test('survive writing and reading for any value', () => {
    fc.assert(
      fc.property(anyCriteria, ({ list, criteria }) => {
        expect(readCriteria(list, writeCriteria(list, criteria), when)).toEqual({
          criteria,
          refused: [],
        });
      }),
      { numRuns: 500 },
    );
  });

  test('are readable and keep relative times', () => {
    const criteria: FieldCriterion[] = [
      { paramName: 'severity', operator: 'in', value: ['Critical', 'Important'] },
      { paramName: 'title', operator: 'contains', value: 'openssl 1.1*' },
      { paramName: 'releaseDate', operator: 'equal', value: 'last_30_days' },
    ];
    expect(writeCriteria(almalinux, criteria)).toBe(
      'severity.in.Critical*.Important**title.contains.openssl 1.1*-**releaseDate.equal.last_30_days',
    );
    expect(
      writeCriteria(almalinux, [
        { paramName: 'releaseDate', operator: 'greater_than', value: Date.UTC(2024, 2, 12, 17, 5) },
      ]),
    ).toBe('releaseDate.greater_than.2024-03-12T1705Z');
    expect(readCriteria(almalinux, 'releaseDate.greater_than.2024-03-12', when).criteria).toEqual([
      { paramName: 'releaseDate', operator: 'greater_than', value: Date.UTC(2024, 2, 12) },
    ]);
  });

  test('are parsed from any text without an exception', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...catalogueLists),
        fc.string({ unit: 'grapheme', maxLength: 60 }),
        (list, text) => {
          const { criteria, refused } = readCriteria(list, text, when);
          expect(criteria.length + refused.length).toBeGreaterThanOrEqual(text === '' ? 0 : 1);
        },
      ),
    );
  });

  test('are omitted with a message when the list does not support them', () => {
    const { criteria, refused } = readCriteria(
      almalinux,
      'password.equal.x**severity.between.a**title.contains.ssl**releaseDate.greater_than.soon**title.equal.x',
      when,
    );
    expect(criteria).toEqual([{ paramName: 'title', operator: 'contains', value: 'ssl' }]);
    expect(refused).toHaveLength(4);
    expect(refused[0]).toBe(
      "The field 'password' is not valid. Allowed fields are: bulletinId, severity, category, title, releaseDate, osVersion, exploited, epss, cvss",
    );
    expect(refused[1]).toContain(
      "The operator 'between' is not valid for Severity. Allowed operators are: ",
    );
  });
});

describe('the address of a list', () => {
  /** Numbers of machines begin with the number of their client or group. */
  test.each([1, 4_194_304 * 2 ** 26])('opens the record %i', (open) => {
    const state = readListState(almalinux, listSearchSchema.parse({ open: String(open) }), when);
    expect(state.open).toBe(open);
  });

  test('replaces invalid parameters by defaults', () => {
    const search = listSearchSchema.parse({
      criteria: {},
      keyword: [],
      sort: null,
      page: '-3',
      size: 7,
      open: 'x',
      other: 1,
    });
    expect(readListState(almalinux, search, when)).toEqual({
      criteria: [],
      refused: [],
      keyword: '',
      sort: '-releaseDate',
      page: 1,
      size: 25,
      open: undefined,
    });
    expect(readListState(almalinux, listSearchSchema.parse({ sort: '-password' }), when).sort).toBe(
      '-releaseDate',
    );
    expect(listSearchSchema.parse({ keyword: 5034441, size: '50', page: '2' })).toEqual({
      keyword: '5034441',
      size: 50,
      page: 2,
    });
  });

  test('is bare for the default state and restores any other', () => {
    const untouched = readListState(almalinux, {}, when);
    expect(writeListState(almalinux, untouched)).toEqual({});
    const shaped: ListState = {
      criteria: [{ paramName: 'severity', operator: 'equal', value: 'Critical' }],
      keyword: 'kernel',
      sort: 'title',
      page: 3,
      size: 50,
      open: 12,
      columns: ['severity', 'title'],
      view: 3,
    };
    expect(
      readListState(almalinux, listSearchSchema.parse(writeListState(almalinux, shaped)), when),
    ).toEqual({ ...shaped, refused: [] });
  });

  test.each([
    [{}, 'default'],
    [{ view: 7 }, 7],
    [{ view: '7' }, 7],
    [{ view: 'all' }, null],
    [{ view: 7, keyword: 'kernel' }, null],
    [{ open: 12 }, null],
  ] as const)('%o opens the view %o', (address, view) => {
    expect(getViewToOpen(listSearchSchema.parse(address))).toBe(view);
  });

  test('contains defaults in a shared link, and only columns of the list', () => {
    const untouched = readListState(almalinux, {}, when);
    const link = writeFullState(almalinux, untouched, almalinux.columns);
    expect(link).toEqual({ sort: '-releaseDate', size: 25, columns: almalinux.columns.join(',') });
    const elsewhere = readListState(almalinux, listSearchSchema.parse(link), when, {
      sort: 'title',
      pageSize: 50,
      columns: ['title'],
    });
    expect(elsewhere).toMatchObject({ sort: '-releaseDate', size: 25, columns: almalinux.columns });
    expect(readListState(almalinux, { columns: 'gone,title,title' }, when).columns).toEqual([
      'title',
    ]);
    expect(readListState(almalinux, { columns: 'gone' }, when).columns).toBeUndefined();
  });

  test('returns to page 1 with a new filter, order or page size', () => {
    const state: ListState = {
      criteria: [],
      keyword: '',
      sort: 'title',
      page: 7,
      size: 25,
      open: 5,
      columns: undefined,
      view: undefined,
    };
    for (const change of [
      { keyword: 'x' },
      { criteria: [] },
      { size: 50 as const },
      { sort: '-title' },
    ]) {
      expect(applyChange(state, change)).toMatchObject({ ...change, page: 1, open: undefined });
    }
    expect(applyChange(state, { page: 8 })).toMatchObject({ page: 8, open: undefined });
    expect(applyChange(state, { open: 6 })).toMatchObject({ page: 7, open: 6 });
    expect(applyChange(state, { open: undefined })).toMatchObject({ page: 7, open: undefined });
    expect(getLastPage(0, 25)).toBe(1);
    expect(getLastPage(51, 25)).toBe(3);
  });
});
