/** A vendor's day is the same day for every reader; an instant belongs to a day of the reader's clock. */
import { getList } from '@patch/catalogue/lists.ts';
import { vulnerabilityList } from '@patch/catalogue/risk/vulnerability-list.ts';
import { describe, expect, it } from 'vitest';
import { filterText } from './filter-text.ts';
import { readSearchWords } from './search-words.ts';

const october = Date.UTC(2024, 9, 1);
const dayLength = 86_400_000;
const zones = [
  ['America/Los_Angeles', 7],
  ['UTC', 0],
  ['Europe/Istanbul', -3],
  ['Pacific/Auckland', -13],
  ['Pacific/Kiritimati', -14],
] as const;

describe.each(zones)('a reader in %s', (timeZone, hoursBehind) => {
  it('finds a due date by the vendor’s day', () => {
    expect(readSearchWords(vulnerabilityList, 'dueDate:2024-10-01', timeZone)).toEqual({
      kind: 'search',
      criteria: [
        {
          paramName: 'dueDate',
          operator: 'between',
          value: october,
          toValue: october + dayLength - 1,
        },
      ],
      keyword: '',
    });
  });

  it('finds an instant by the day of the reader’s clock', () => {
    const begin = october + hoursBehind * 3_600_000;
    expect(readSearchWords(getList('all_patches'), 'createdTime:2024-10-01', timeZone)).toEqual({
      kind: 'search',
      criteria: [
        {
          paramName: 'createdTime',
          operator: 'between',
          value: begin,
          toValue: begin + dayLength - 1,
        },
      ],
      keyword: '',
    });
  });
});

/** Three in the morning of 1 October in UTC. */
const now = october + 3 * 3_600_000;

describe.each([
  ['America/Los_Angeles', 0],
  ['UTC', 1],
  ['Europe/Istanbul', 1],
  ['Pacific/Auckland', 1],
  ['Pacific/Kiritimati', 1],
] as const)('relative times in %s', (timeZone, today) => {
  const start = october + (today - 1) * dayLength;
  it.each([
    ['today', `dueDate between ${start} and ${start + dayLength - 1}`],
    ['tomorrow', `dueDate between ${start + dayLength} and ${start + 2 * dayLength - 1}`],
    ['overdue', `dueDate <= ${start - 1}`],
  ])('counts %s from the day of the reader’s clock', (value, text) => {
    expect(
      filterText(vulnerabilityList, [{ paramName: 'dueDate', operator: 'equal', value }], {
        now,
        timeZone,
      }),
    ).toBe(text);
  });
});
