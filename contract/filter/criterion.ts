/**
 * A criterion of the search bar: one condition on one field, or the keyword. The further properties in the specification
 * (displayName, valueType, paramType) follow from the field in `paramName` and are not stored.
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
  /** The field's name in its list; its name on the wire is accepted too. */
  paramName: z.string(),
  /** Case-insensitive variants are read as the plain operator. */
  operator: z.preprocess(
    (name) => (typeof name === 'string' ? plainOperator(name) : name),
    z.enum(operators),
  ),
  /**
   * Words for fields of words, integers for numbers and sizes, numbers for decimals, epoch milliseconds or a relative time
   * (`today`, `last_30_days`) for dates, a list for `in` and `not_in`, absent for `is_null` and `is_not_null`.
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

/** A criterion that the list cannot answer; the message is for the person who made it. */
export class CriterionError extends Error {
  override readonly name = 'CriterionError';
}

export function isKeyword(criterion: Criterion): criterion is KeywordCriterion {
  return (criterion as Partial<KeywordCriterion>).valueType === 'keyword';
}
