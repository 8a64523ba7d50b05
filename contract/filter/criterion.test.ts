import { getField } from '@patch/catalogue/definition/list-definition.ts';
import { getList } from '@patch/catalogue/lists.ts';
import { describe, expect, test } from 'vitest';
import { Criterion, FieldCriterion, isKeyword, KeywordCriterion } from './criterion.ts';
import { wireOperators } from './wire-operators.ts';

describe('a search criterion', () => {
  test('has the field’s name, the operator, the value and the upper value', () => {
    const between = { paramName: 'releaseDate', operator: 'between', value: 1, toValue: 2 };
    expect(FieldCriterion.parse(between)).toEqual(between);
    expect(FieldCriterion.parse({ paramName: 'title', operator: 'is_null' })).toEqual({
      paramName: 'title',
      operator: 'is_null',
    });
    for (const value of ['words', 7, false, ['a', 'b'], [1, 2]]) {
      expect(FieldCriterion.parse({ paramName: 'x', operator: 'equal', value }).value).toEqual(
        value,
      );
    }
    expect(FieldCriterion.safeParse({ operator: 'equal', value: 'x' }).success).toBe(false);
    expect(FieldCriterion.safeParse({ paramName: 'x', operator: 'like', value: 'x' }).success).toBe(
      false,
    );
  });

  test('has an operator with a name and a wire value; a case-insensitive one equals the plain one', () => {
    const { operator } = FieldCriterion.parse({
      paramName: 'x',
      operator: 'contains_case_insensitive',
      value: 'x',
    });
    expect([operator, wireOperators[operator]]).toEqual(['contains', 'like']);
  });

  test('derives its display name, value type and field type from its field', () => {
    const { paramName } = FieldCriterion.parse({
      paramName: 'severity',
      operator: 'equal',
      value: 'Critical',
    });
    const { label, kind } = getField(getList('almalinux_patch'), paramName);
    expect([label, kind]).toEqual(['Severity', 'choice']);
  });
});

test('has the keyword as its value, and the value type keyword', () => {
  const keyword = { valueType: 'keyword', value: 'openssl' };
  expect(KeywordCriterion.parse(keyword)).toEqual(keyword);
  expect(isKeyword(Criterion.parse(keyword))).toBe(true);
  expect(isKeyword(Criterion.parse({ paramName: 'title', operator: 'equal', value: 'x' }))).toBe(
    false,
  );
});
