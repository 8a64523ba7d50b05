/**
 * What the search bar holds: one condition on one field, or the keyword. What the specification lists beside these
 * (displayName, valueType, paramType) follows from the field that `paramName` names and is kept nowhere twice.
 */
import { operators } from '@patch/catalogue/definition/operators.ts';
import { z } from 'zod';
import { plainOperator } from './wire-operators.ts';

export const KeywordCriterion = z.strictObject({
  valueType: z.literal('keyword'),
  value: z.string(),
});
export type KeywordCriterion = z.infer<typeof KeywordCriterion>;

export const FieldCriterion = z.strictObject({
  /** The field's name in its list; the name the wire asks it by is understood too. */
  paramName: z.string(),
  /** The case-insensitive variants are read as the plain operator. */
  operator: z.preprocess(
    (name) => (typeof name === 'string' ? plainOperator(name) : name),
    z.enum(operators),
  ),
  /**
   * Words for fields of words, whole numbers for numbers and sizes, numbers for decimals, epoch milliseconds or a relative word (`today`,
   * `last_30_days`) for dates, several for `in` and `not_in`, absent for `is_null` and `is_not_null`.
   */
  value: z
    .union([
      z.string(),
      z.number(),
      z.boolean(),
      z.array(z.union([z.string(), z.number()])).readonly(),
    ])
    .optional(),
  /** The upper end of `between`. */
  toValue: z.number().optional(),
});
export type FieldCriterion = z.infer<typeof FieldCriterion>;

export const Criterion = z.union([FieldCriterion, KeywordCriterion]);
export type Criterion = z.infer<typeof Criterion>;

/** A criterion that cannot be asked; the message is for the person who made it. */
export class CriterionError extends Error {
  override readonly name = 'CriterionError';
}

export function isKeyword(criterion: Criterion): criterion is KeywordCriterion {
  return (criterion as Partial<KeywordCriterion>).valueType === 'keyword';
}
