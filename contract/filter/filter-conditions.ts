/** The syntax tree of a filter: conditions that must all hold. */
import type { FieldKind } from '@patch/catalogue/definition/field-kinds.ts';
import type { Field } from '@patch/catalogue/definition/fields.ts';

export type Scalar = string | number | boolean;
export type Comparison = '=' | '!=' | '<' | '>' | '<=' | '>=';

/** The test of a condition on the field's value. */
export type FilterTest =
  | { readonly kind: 'compared'; readonly comparison: Comparison; readonly value: Scalar }
  | { readonly kind: 'oneOf'; readonly negated: boolean; readonly values: readonly Scalar[] }
  /** % and _ stand for any text and any character; a backslash escapes them. */
  | { readonly kind: 'like'; readonly negated: boolean; readonly pattern: string }
  | { readonly kind: 'between'; readonly low: Scalar; readonly high: Scalar }
  | { readonly kind: 'null'; readonly negated: boolean };

/**
 * A condition that its list can answer. Its strings are folded, and its values have the field's type: strings for fields of
 * words, safe integers for numbers, sizes and dates, finite numbers for decimals, booleans for flags.
 */
export type Condition = FilterTest & {
  /** The field's own name in the list, or `id`. */
  readonly name: string;
  readonly definition: Field<FieldKind, unknown>;
};

/** A condition of the filter text, not yet checked against a list, with its positions in the text for messages. */
export type ParsedCondition = FilterTest & {
  readonly field: string;
  /** True for lower(field), a comparison of words. */
  readonly lowered: boolean;
  /** Position of the field's name in the text, counted from 1 in characters. */
  readonly at: number;
  readonly operatorAt: number;
  /** Positions of its values, in order. */
  readonly valuesAt: readonly number[];
};

export const maxConditions = 32;
export const maxValues = 1000;

/** Error codes for programs. */
export type FilterErrorCode =
  | 'unknown_field'
  | 'unknown_operator'
  | 'unterminated_string'
  | 'wrong_type'
  | 'empty_range'
  | 'syntax'
  | 'too_long'
  | 'too_many';

/** A filter that cannot be parsed; the message states the position (from 1) and what is allowed there. */
export class FilterError extends Error {
  override readonly name = 'FilterError';
  readonly at: number;
  readonly code: FilterErrorCode;
  constructor(code: FilterErrorCode, message: string, at: number) {
    super(message);
    this.code = code;
    this.at = at;
  }
}
