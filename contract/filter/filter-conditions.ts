/** What a filter text says once parsed: conditions that all must hold, each with its place in the text for messages. */

export type Scalar = string | number | boolean;
export type Comparison = '=' | '!=' | '<' | '>' | '<=' | '>=';

export type Condition = {
  /** As the filter names it; not yet checked against a list. */
  readonly field: string;
  /** Written as lower(field): a comparison of words. */
  readonly lowered: boolean;
  /** Place of the field's name in the text, counted from 1 in characters. */
  readonly at: number;
  /** Place of the operator. */
  readonly operatorAt: number;
  /** Places of its values, in their order. */
  readonly valuesAt: readonly number[];
} & (
  | { readonly is: 'compared'; readonly comparison: Comparison; readonly value: Scalar }
  | { readonly is: 'oneOf'; readonly negated: boolean; readonly values: readonly Scalar[] }
  /** The pattern as written: % and _ stand for any text and any character, a backslash takes their meaning away. */
  | { readonly is: 'like'; readonly negated: boolean; readonly pattern: string }
  | { readonly is: 'between'; readonly low: Scalar; readonly high: Scalar }
  | { readonly is: 'null'; readonly negated: boolean }
);

export const maxConditions = 32;
export const maxValues = 1000;

/** For programs. */
export type FilterErrorCode =
  | 'unknown_field'
  | 'unknown_operator'
  | 'unterminated_string'
  | 'wrong_type'
  | 'empty_range'
  | 'syntax'
  | 'too_long'
  | 'too_many';

/** A filter that cannot be read; the message names the place (from 1) and what is allowed there. */
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
