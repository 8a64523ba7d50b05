import { choice, date, flag, number, text } from '@patch/catalogue/definition/fields.ts';
import { expect, test } from 'vitest';
import {
  criterionOf,
  type Draft,
  draftProblem,
  newDraft,
  withOperator,
} from './criterion-rules.ts';

const draft = (operator: Draft['operator'], value?: Draft['value'], toValue?: number): Draft => ({
  operator,
  value,
  toValue,
});

test.each<[string, [Parameters<typeof draftProblem>[0], Draft, string?], string | undefined]>([
  ['a value is required', [text('Title'), draft('contains', '')], 'Title is required'],
  ['but not to ask for none', [text('Title'), draft('is_null')], undefined],
  [
    'several are at least one',
    [choice('Severity', ['Low']), draft('in', [])],
    'Severity needs at least one value',
  ],
  ['a flag without a value is no', [flag('CAB'), draft('equal')], undefined],
  [
    'the upper number is higher',
    [number('Id'), draft('between', 5, 5)],
    'The upper number must be at least 6',
  ],
  ['by one at least', [number('Id'), draft('between', 5, 6)], undefined],
  ['both numbers are needed', [number('Id'), draft('between', 5)], 'Id is required'],
  [
    'the upper date is not before the lower',
    [
      date('Released'),
      draft('between', Date.UTC(2024, 2, 12, 17, 5), Date.UTC(2024, 2, 12, 17, 4)),
      'Asia/Kolkata',
    ],
    '12/03/2024 10:34 PM must be greater than 12/03/2024 10:35 PM',
  ],
  ['but may be the same', [date('Released'), draft('between', 5, 5)], undefined],
  ['a custom date is required', [date('Released'), draft('greater_than')], 'Released is required'],
])('%s', (_, [field, asked, zone = 'UTC'], problem) => {
  expect(draftProblem(field, asked, zone)).toBe(problem);
});

test('what is asked at first: the first operator, no for a flag, the first relative time for a date, overdue where something falls due', () => {
  expect(newDraft(text('Title'))).toEqual(draft('contains'));
  expect(newDraft(choice('Severity', ['Low']))).toEqual(draft('in'));
  expect(newDraft(number('Id'))).toEqual(draft('equal'));
  expect(newDraft(flag('CAB'))).toEqual(draft('equal', false));
  expect(newDraft(date('Released'))).toEqual(draft('equal', 'today'));
  expect(newDraft(date('Licence expires', { dueBy: true }))).toEqual(draft('equal', 'overdue'));
});

test('another operator keeps what still fits', () => {
  expect(withOperator(text('Title'), draft('contains', 'ssl'), 'in')).toEqual(draft('in', ['ssl']));
  expect(withOperator(text('Title'), draft('in', ['a', 'b']), 'equal')).toEqual(
    draft('equal', 'a'),
  );
  expect(withOperator(number('Id'), draft('between', 5, 9), 'equal')).toEqual(draft('equal', 5));
  expect(withOperator(text('Title'), draft('contains', 'ssl'), 'is_null')).toEqual(
    draft('is_null'),
  );
  expect(withOperator(date('Released'), draft('greater_than', 5), 'less_than')).toEqual(
    draft('less_than'),
  );
});

test('another operator clears a date, a relative one and both ends of one’s own', () => {
  const released = date('Released');
  expect(withOperator(released, draft('equal', 'today'), 'not_equal')).toEqual(draft('not_equal'));
  expect(withOperator(released, draft('between', 5, 9), 'less_than')).toEqual(draft('less_than'));
  expect(withOperator(released, draft('between', 5, 9), 'between')).toEqual(draft('between', 5, 9));
});

test('what is asked', () => {
  expect(criterionOf('cab', { kind: 'flag' }, draft('equal'))).toEqual({
    paramName: 'cab',
    operator: 'equal',
    value: false,
  });
  expect(criterionOf('id', { kind: 'number' }, draft('between', 1, 2))).toEqual({
    paramName: 'id',
    operator: 'between',
    value: 1,
    toValue: 2,
  });
  expect(criterionOf('title', { kind: 'text' }, draft('is_not_null', 'left over'))).toEqual({
    paramName: 'title',
    operator: 'is_not_null',
  });
});
