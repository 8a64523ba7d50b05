import { expect, test } from 'vitest';
import { concludeDueDate, type DatedRecord, defaultPolicies } from './due-date.ts';

const at = (text: string) => Date.parse(text);
const record = (more: Partial<DatedRecord> = {}): DatedRecord => ({
  releaseDate: at('2026-10-03'),
  severity: 'Critical',
  exploited: false,
  known: [],
  ...more,
});
const cisa = (since: string, due: string | null) => ({
  since: at(since),
  due: due === null ? null : at(due),
});
const written = (given: DatedRecord, policies = defaultPolicies) => {
  const { dueDate, evidence } = concludeDueDate(given, policies, at('2026-10-10'));
  return [dueDate === null ? null : new Date(dueDate).toISOString(), evidence];
};

test.each([
  ['Critical', '2026-11-02', 30],
  ['Important', '2026-11-02', 30],
  ['Moderate', '2027-01-01', 90],
  [null, '2027-01-01', 90],
])('is due by the days of its band when it is %s', (severity, due, days) => {
  expect(written(record({ severity }))).toEqual([
    `${due}T00:00:00.000Z`,
    `released 2026-10-03 + ${days} days = due ${due}`,
  ]);
});

test('is due on the date of CISA when it is known exploited', () => {
  const known = [cisa('2026-10-05', '2026-10-26'), cisa('2026-10-04', null)];
  expect(written(record({ exploited: true, known: known.slice(0, 1) }))).toEqual([
    '2026-10-26T00:00:00.000Z',
    'CISA: due 2026-10-26',
  ]);
  expect(written(record({ exploited: true, known }))).toEqual([
    '2026-10-18T00:00:00.000Z',
    'known exploited since 2026-10-04 + 14 days = due 2026-10-18',
  ]);
});

test('starts the days of exploited records no earlier than the release', () => {
  const known = [cisa('2026-09-01', null)];
  expect(written(record({ exploited: true, known }))[1]).toBe(
    'known exploited, released 2026-10-03 + 14 days = due 2026-10-17',
  );
  expect(written(record({ exploited: true }))[1]).toBe(
    'exploited by its vendor’s words, released 2026-10-03 + 14 days = due 2026-10-17',
  );
});

test('is never due later because it becomes known exploited', () => {
  const old = { releaseDate: at('2026-01-01') };
  const before = written(record(old));
  const known = [cisa('2026-10-09', '2026-10-30')];
  expect(written(record({ ...old, exploited: true, known }))).toEqual(before);
});

test('has no due date without a release date, and says so', () => {
  const unreleased = { releaseDate: null };
  expect(written(record(unreleased))).toEqual([null, 'no release date is known: no due date']);
  expect(concludeDueDate(record(unreleased), defaultPolicies, at('2099-01-01')).overdueDays).toBe(
    0,
  );
  const known = [cisa('2026-10-05', '2026-10-26')];
  expect(written(record({ ...unreleased, exploited: true, known }))[1]).toBe(
    'CISA: due 2026-10-26',
  );
});

test('has the earliest date of several groups, and names the group', () => {
  const policy = { cisa: false, exploited: 5, serious: 10, others: 400 };
  const policies = [...defaultPolicies, { group: 'Web', policy }];
  expect(written(record(), policies)).toEqual([
    '2026-10-13T00:00:00.000Z',
    'released 2026-10-03 + 10 days = due 2026-10-13 (group Web)',
  ]);
  expect(written(record({ severity: 'Low' }), policies)[1]).toBe(
    'released 2026-10-03 + 90 days = due 2027-01-01 (by default: another group has no policy)',
  );
});

test('does not follow CISA when the policy says so', () => {
  const policy = { cisa: false, exploited: 1, serious: 30, others: 90 };
  const known = [cisa('2026-10-05', '2026-10-06')];
  expect(written(record({ exploited: true, known }), [{ group: 'Lab', policy }])[1]).toBe(
    'known exploited since 2026-10-05 + 1 day = due 2026-10-06 (group Lab)',
  );
});

test.each([
  ['2026-11-02T23:59:59.999Z', 0],
  ['2026-11-03T00:00:00.000Z', 1],
  ['2026-11-12T13:00:00.000Z', 10],
])('is overdue from the day after: at %s by %i days', (now, days) => {
  const released = record({ releaseDate: at('2026-10-03T22:30:00Z') });
  expect(concludeDueDate(released, defaultPolicies, at(now)).overdueDays).toBe(days);
});
