import { getField, isFilterable } from '@patch/catalogue/definition/list-definition.ts';
import { type Operator, operators } from '@patch/catalogue/definition/operators.ts';
import { catalogueLists, getList } from '@patch/catalogue/lists.ts';
import { describe, expect, test } from 'vitest';
import { readCriteria } from './criteria-text.ts';
import { canFilter } from './wire-operators.ts';

const when = { now: 0, timeZone: 'UTC' };

/** Returns the texts after an operator that are refused, each with the problem. */
function refusedTexts(operator: Operator): readonly (readonly [rest: string, problem: string])[] {
  const words = operator.replaceAll('_', ' ');
  if (operator.startsWith('is_'))
    return ['.', '.x'].map((rest) => [rest, `takes no value after '${words}'`]);
  const without = ['', '.', '.1*.', '.*.1'].map((rest) => [rest, 'needs a value'] as const);
  if (operator === 'in' || operator === 'not_in') return without;
  return operator === 'between'
    ? [
        ...without,
        ...['.1', '.1*.2*.3'].map((rest) => [rest, `needs two values for '${words}'`] as const),
      ]
    : [...without, ['.1*.2', `needs one value for '${words}'`]];
}

describe('criteria as text', () => {
  test('are refused without a value, with an empty one, and with one too many, for every field and operator', () => {
    for (const list of catalogueLists)
      for (const name of Object.keys(list.fields).filter((one) => isFilterable(list, one))) {
        const { kind, label } = getField(list, name);
        for (const operator of operators.filter((one) => canFilter(kind, one)))
          for (const [rest, problem] of refusedTexts(operator)) {
            const text = `${name}.${operator}${rest}`;
            const refused = [`${label} ${problem}`];
            expect(readCriteria(list, text, when), text).toEqual({ criteria: [], refused });
          }
      }
  });

  test('keep spaces and stars as values', () => {
    const text = 'name.in. *.*-**release.contains. ';
    expect(readCriteria(getList('machines'), text, when)).toEqual({
      criteria: [
        { paramName: 'name', operator: 'in', value: [' ', '*'] },
        { paramName: 'release', operator: 'contains', value: ' ' },
      ],
      refused: [],
    });
  });
});
