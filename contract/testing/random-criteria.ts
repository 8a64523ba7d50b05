/** Random criteria of the fields of a list. */
import { operatorsOfKind } from '@patch/catalogue/definition/field-kinds.ts';
import { getField } from '@patch/catalogue/definition/list-definition.ts';
import type { Operator } from '@patch/catalogue/definition/operators.ts';
import type { CatalogueList } from '@patch/catalogue/lists.ts';
import * as fc from 'fast-check';
import type { FieldCriterion } from '../filter/criterion.ts';
import { isOfWords } from '../filter/wire-operators.ts';

export interface RandomValues {
  readonly words: fc.Arbitrary<string>;
  readonly numbers: fc.Arbitrary<number>;
  /** Instants of dates; the numbers when absent. */
  readonly instants?: fc.Arbitrary<number>;
  /** Relative times of dates that equal one. */
  readonly relative?: fc.Arbitrary<string>;
  /** The least number of values in a list of them. */
  readonly minValues?: number;
}

/** A criterion of that field of the list. */
export function randomCriterionOf(
  list: CatalogueList,
  paramName: string,
  values: RandomValues,
): fc.Arbitrary<FieldCriterion> {
  const { words, numbers, instants = numbers, relative, minValues = 1 } = values;
  const { kind } = getField(list, paramName);
  const number = kind === 'date' ? instants : numbers;
  const several: fc.Arbitrary<string[] | number[]> = isOfWords(kind)
    ? fc.array(words, { minLength: minValues, maxLength: 4 })
    : fc.array(number, { minLength: minValues, maxLength: 4 });
  const single: fc.Arbitrary<string | number | boolean> =
    kind === 'flag' ? fc.boolean() : isOfWords(kind) ? words : number;
  return fc
    .constantFrom<Operator>(...operatorsOfKind[kind])
    .chain((operator): fc.Arbitrary<FieldCriterion> => {
      if (operator === 'is_null' || operator === 'is_not_null')
        return fc.constant({ paramName, operator });
      if (operator === 'in' || operator === 'not_in')
        return several.map((value) => ({ paramName, operator, value }));
      if (operator === 'between')
        return fc.tuple(number, number).map(([a, b]) => ({
          paramName,
          operator,
          value: Math.min(a, b),
          toValue: Math.max(a, b),
        }));
      const isRelative = kind === 'date' && operator === 'equal' && relative !== undefined;
      const value = isRelative ? fc.oneof(single, relative) : single;
      return value.map((chosen) => ({ paramName, operator, value: chosen }));
    });
}

/** A criterion of any field of the list. */
export const randomCriterion = (list: CatalogueList, values: RandomValues) =>
  fc.constantFrom(...list.searchable).chain((name) => randomCriterionOf(list, name, values));
