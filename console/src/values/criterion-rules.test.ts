import { choice, date, flag, number, text } from '@patch/catalogue/definition/fields.ts';
import { expect, test } from 'vitest';
import {
  type Draft,
  draftProblem,
  newDraft,
  toCriterion,
  withOperator,
} from './criterion-rules.ts';

const draft = (operator: Draft['operator'], value?: Draft['value'], toValue?: number): Draft => ({
  operator,
  value,
  toValue,
});

test.each<[string, [Parameters<typeof draftProblem>[0], Draft, string?], string | undefined]>([
  ['requires a value', [text('Title'), draft('contains', '')], 'Title is required'],
  ['requires no value for "is empty"', [text('Title'), draft('is_null')], undefined],
  [
    'requires at least one value for "is one of"',
    [choice('Severity', ['Low']), draft('in', [])],
    'Severity needs at least one value',
  ],
  ['accepts a flag without a value', [flag('CAB'), draft('equal')], undefined],
  [
    'requires a higher upper number',
    [number('Id'), draft('between', 5, 5)],
    'The upper number must be at least 6',
  ],
  [
    'accepts an upper number that is higher by one',
    [number('Id'), draft('between', 5, 6)],
    undefined,
  ],
  ['requires both numbers', [number('Id'), draft('between', 5)], 'Id is required'],
  [
    'refuses an upper date before the lower',
    [
      date('Released'),
      draft('between', Date.UTC(2024, 2, 12, 17, 5), Date.UTC(2024, 2, 12, 17, 4)),
      'Asia/Kolkata',
    ],
    '12/03/2024 10:34 PM must be greater than 12/03/2024 10:35 PM',
  ],
  ['accepts equal dates', [date('Released'), draft('between', 5, 5)], undefined],
  ['requires a custom date', [date('Released'), draft('greater_than')], 'Released is required'],
])('draftProblem %s', (_, [field, criterion, zone = 'UTC'], problem) => {
  expect(draftProblem(field, criterion, zone)).toBe(problem);
});

test('newDraft begins with the first operator, false for a flag, today for a date, overdue for a due date', () => {
  expect(newDraft(text('Title'))).toEqual(draft('contains'));
  expect(newDraft(choice('Severity', ['Low']))).toEqual(draft('in'));
  expect(newDraft(number('Id'))).toEqual(draft('equal'));
  expect(newDraft(flag('CAB'))).toEqual(draft('equal', false));
  expect(newDraft(date('Released'))).toEqual(draft('equal', 'today'));
  expect(newDraft(date('Licence expires', { dueBy: true }))).toEqual(draft('equal', 'overdue'));
});

test('withOperator keeps the part of the value that fits the new operator', () => {
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

test('withOperator clears relative and custom dates', () => {
  const released = date('Released');
  expect(withOperator(released, draft('equal', 'today'), 'not_equal')).toEqual(draft('not_equal'));
  expect(withOperator(released, draft('between', 5, 9), 'less_than')).toEqual(draft('less_than'));
  expect(withOperator(released, draft('between', 5, 9), 'between')).toEqual(draft('between', 5, 9));
});

test('toCriterion leaves out values that the operator does not take', () => {
  expect(toCriterion('cab', { kind: 'flag' }, draft('equal'))).toEqual({
    paramName: 'cab',
    operator: 'equal',
    value: false,
  });
  expect(toCriterion('id', { kind: 'number' }, draft('between', 1, 2))).toEqual({
    paramName: 'id',
    operator: 'between',
    value: 1,
    toValue: 2,
  });
  expect(toCriterion('title', { kind: 'text' }, draft('is_not_null', 'left over'))).toEqual({
    paramName: 'title',
    operator: 'is_not_null',
  });
});
