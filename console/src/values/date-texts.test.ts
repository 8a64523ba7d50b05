import { machineList } from '@patch/catalogue/fleet/machine-list.ts';
import { vulnerabilityList } from '@patch/catalogue/risk/vulnerability-list.ts';
import { describe, expect, it } from 'vitest';
import { criterionText } from './criterion-text.ts';
import { dateTexts } from './day-date.ts';

const october = Date.UTC(2024, 9, 1);
const { dueDate } = vulnerabilityList.fields;

describe.each([
  ['America/Los_Angeles', 'tomorrow', 'Sep 30, 2024'],
  ['Europe/Istanbul', 'today', 'Oct 01, 2024'],
  ['Pacific/Auckland', 'today', 'Oct 01, 2024'],
])('dateTexts in %s', (zone, ago, dayOfInstant) => {
  const reader = { zone, now: october + 3 * 3_600_000 };

  it('writes a due date as the day that the vendor states', () => {
    expect(dateTexts(dueDate, october, reader)).toEqual({
      day: 'Oct 01, 2024',
      exact: 'Oct 01, 2024',
      ago,
      zone: null,
    });
  });

  it('writes an instant by the clock of the reader', () => {
    expect(dateTexts({}, october, reader)).toMatchObject({ day: dayOfInstant, zone });
  });

  it('writes a criterion on a due date as the day that the vendor states', () => {
    const criterion = { paramName: 'dueDate', operator: 'less_than', value: october } as const;
    expect(criterionText(dueDate, criterion, zone).value).toBe('Oct 01, 2024');
  });
});

it('counts days in the past and the future from the day of the reader', () => {
  const reader = { zone: 'Pacific/Auckland', now: october };
  const toAge = (days: number) => dateTexts(dueDate, october + days * 86_400_000, reader).ago;
  expect([-400, -2, -1, 1, 2].map(toAge)).toEqual([
    '13 months ago',
    '2 days ago',
    'yesterday',
    'tomorrow',
    'in 2 days',
  ]);
});

it('writes the labels of choices, and words without one as they are', () => {
  const criterion = { paramName: 'platform', operator: 'in', value: ['macos', 'plan9'] } as const;
  const { value } = criterionText(machineList.fields.platform, criterion, 'UTC');
  expect(value).toBe('macOS, plan9');
});
