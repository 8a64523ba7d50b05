/** The kinds of value that a field can have, and the operators of each kind. */
import type { Operator } from './operators.ts';

export interface ValueOfKind {
  /** A short line of words: a title, a product name. */
  text: string;
  /** Text of any length with its line breaks; plain text, never markup. */
  prose: string;
  /** One name that is copied and compared as a unit: a KB number, a UUID, a package version. */
  identifier: string;
  /** Several such names: the CVEs of a bulletin, the KBs that one replaces. */
  identifiers: string[];
  /** Several words without an order: architectures, releases. */
  tags: string[];
  /** One of the field's choices, ranked by its position among them. */
  choice: string;
  /** A whole number. */
  number: number;
  /** A number with decimals: a score, a probability. */
  decimal: number;
  /** Bytes. */
  size: number;
  /** Epoch milliseconds. */
  date: number;
  flag: boolean;
  /** An https or http address. */
  link: string;
}

export type FieldKind = keyof ValueOfKind;

const wordOperators = [
  'contains',
  'not_contains',
  'equal',
  'not_equal',
  'start_with',
  'end_with',
  'in',
  'not_in',
  'is_null',
  'is_not_null',
] as const;
const choiceOperators = [
  'in',
  'not_in',
  'equal',
  'not_equal',
  'contains',
  'not_contains',
  'start_with',
  'end_with',
  'is_null',
  'is_not_null',
] as const;
const numberOperators = [
  'equal',
  'not_equal',
  'less_than',
  'less_than_or_equal',
  'greater_than',
  'greater_than_or_equal',
  'between',
  'in',
  'not_in',
  'is_null',
  'is_not_null',
] as const;
const dateOperators = [
  'greater_than',
  'less_than',
  'between',
  'greater_than_or_equal',
  'less_than_or_equal',
  'equal',
  'not_equal',
  'is_null',
  'is_not_null',
] as const;
const flagOperators = ['equal', 'not_equal', 'is_null', 'is_not_null'] as const;

/** Operators in the order in which they are offered; the first is the default. */
export const operatorsOfKind = {
  text: wordOperators,
  prose: wordOperators,
  identifier: wordOperators,
  identifiers: wordOperators,
  tags: wordOperators,
  link: wordOperators,
  choice: choiceOperators,
  number: numberOperators,
  decimal: numberOperators,
  size: numberOperators,
  date: dateOperators,
  flag: flagOperators,
} as const satisfies Record<FieldKind, readonly Operator[]>;
