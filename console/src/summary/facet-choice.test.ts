import { choice, date, flag, tags } from '@patch/catalogue/definition/fields.ts';
import type { FieldCriterion } from '@patch/contract/filter/criterion.ts';
import { describe, expect, test } from 'vitest';
import { type FacetWord, getChosenValues, toggleValue } from './facet-choice.ts';

const fields = {
  severity: choice('Severity', ['Low', 'Critical']),
  release: tags('Release'),
  exploited: flag('Exploited'),
  releaseDate: date('Release date'),
};

/** Returns the criterion after each press, beginning without one. */
function pressed(
  name: keyof typeof fields,
  values: readonly FacetWord[],
  timeZone = 'UTC',
): readonly (FieldCriterion | undefined)[] {
  let criterion: FieldCriterion | undefined;
  return values.map((value) => {
    criterion = toggleValue({ name, definition: fields[name], criterion, timeZone }, value);
    return criterion;
  });
}

const chosen = (name: keyof typeof fields, criterion: FieldCriterion, timeZone = 'UTC') =>
  getChosenValues({ name, definition: fields[name], criterion, timeZone });

test('a facet of a criterion asks for the rows that meet it', () => {
  const field = {
    name: 'overdue',
    definition: fields.exploited,
    timeZone: 'UTC',
    isCriterion: true,
  };
  const met: FieldCriterion = { paramName: 'overdue', operator: 'is_not_null' };
  expect(toggleValue({ ...field, criterion: undefined }, true)).toEqual(met);
  expect(toggleValue({ ...field, criterion: met }, true)).toBeUndefined();
  expect(getChosenValues({ ...field, criterion: met })).toEqual([true]);
  for (const operator of ['is_null', 'in'] as const)
    expect(getChosenValues({ ...field, criterion: { paramName: 'overdue', operator } })).toEqual(
      [],
    );
});

describe('a facet of words', () => {
  test('adds and removes values', () => {
    expect(pressed('severity', ['Critical', 'Low', 'Critical', 'Low'])).toEqual([
      { paramName: 'severity', operator: 'in', value: ['Critical'] },
      { paramName: 'severity', operator: 'in', value: ['Critical', 'Low'] },
      { paramName: 'severity', operator: 'in', value: ['Low'] },
      undefined,
    ]);
  });

  test('replaces values by "no value", and the reverse', () => {
    expect(pressed('release', ['9', null, '8', null, null])).toEqual([
      { paramName: 'release', operator: 'in', value: ['9'] },
      { paramName: 'release', operator: 'is_null' },
      { paramName: 'release', operator: 'in', value: ['8'] },
      { paramName: 'release', operator: 'is_null' },
      undefined,
    ]);
  });

  test('shows the value of a typed criterion as chosen, in any letter case', () => {
    const typed: FieldCriterion = { paramName: 'severity', operator: 'equal', value: 'critical' };
    expect(chosen('severity', typed)).toEqual(['critical']);
    const field = { name: 'severity', definition: fields.severity, timeZone: 'UTC' };
    expect(toggleValue({ ...field, criterion: typed }, 'Critical')).toBeUndefined();
  });

  test('shows no value as chosen for other operators', () => {
    expect(
      chosen('severity', { paramName: 'severity', operator: 'contains', value: 'crit' }),
    ).toEqual([]);
    expect(
      chosen('severity', { paramName: 'severity', operator: 'not_in', value: ['Low'] }),
    ).toEqual([]);
  });
});

describe('a facet of a flag', () => {
  test('converts each set of yes, no and not known to a criterion and back', () => {
    const sets: readonly (readonly FacetWord[])[] = [
      [true],
      [false],
      [null],
      [true, false],
      [true, null],
      [false, null],
    ];
    const criteria = sets.map((values) => pressed('exploited', values).at(-1));
    expect(criteria).toEqual([
      { paramName: 'exploited', operator: 'equal', value: true },
      { paramName: 'exploited', operator: 'equal', value: false },
      { paramName: 'exploited', operator: 'is_null' },
      { paramName: 'exploited', operator: 'is_not_null' },
      { paramName: 'exploited', operator: 'not_equal', value: false },
      { paramName: 'exploited', operator: 'not_equal', value: true },
    ]);
    expect(criteria.map((criterion) => criterion && chosen('exploited', criterion))).toEqual(sets);
  });

  test('has no criterion when all values are chosen', () => {
    expect(pressed('exploited', [true, false, null]).at(-1)).toBeUndefined();
  });
});

describe('a facet of years', () => {
  const istanbul = 'Europe/Istanbul';
  const year = (first: number, last = first): FieldCriterion => ({
    paramName: 'releaseDate',
    operator: 'between',
    value: Date.UTC(first - 1, 11, 31, 21),
    toValue: Date.UTC(last, 11, 31, 21) - 1,
  });

  test('uses the bounds of the year in the time zone', () => {
    expect(pressed('releaseDate', [2024], istanbul)).toEqual([year(2024)]);
    expect(chosen('releaseDate', year(2024), istanbul)).toEqual([2024]);
    expect(chosen('releaseDate', year(2024), 'UTC')).toEqual([]);
  });

  test('extends to an adjacent year, is replaced by another, and removes a chosen one', () => {
    expect(pressed('releaseDate', [2024, 2025, 2023, 2019], istanbul)).toEqual([
      year(2024),
      year(2024, 2025),
      year(2023, 2025),
      year(2019),
    ]);
    expect(pressed('releaseDate', [2023, 2024, 2025, 2024, 2025], istanbul).slice(2)).toEqual([
      year(2023, 2025),
      year(2025),
      undefined,
    ]);
  });

  test('shows no year as chosen for relative times and parts of a year', () => {
    for (const criterion of [
      { paramName: 'releaseDate', operator: 'equal', value: 'last_90_days' },
      { paramName: 'releaseDate', operator: 'greater_than', value: Date.UTC(2024, 0, 1) },
      { ...year(2024), toValue: Date.UTC(2024, 5, 1) },
    ] as const)
      expect(chosen('releaseDate', criterion, istanbul)).toEqual([]);
  });

  test('has a separate criterion for records without a date', () => {
    expect(pressed('releaseDate', [2024, null, null])).toEqual([
      expect.objectContaining({ operator: 'between' }),
      { paramName: 'releaseDate', operator: 'is_null' },
      undefined,
    ]);
  });
});
