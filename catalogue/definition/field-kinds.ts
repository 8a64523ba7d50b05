/** The kinds of value a field can hold, and which operators each kind answers to. */
import type { Operator } from './operators.ts';

export interface ValueOfKind {
  /** A short line of words: a title, a product name. */
  text: string;
  /** Words of any length, line breaks kept; plain text, never markup. */
  prose: string;
  /** One name that is copied and compared as a whole: a KB number, a UUID, a package version. */
  identifier: string;
  /** Several such names: the CVEs of a bulletin, the KBs that one replaces. */
  identifiers: string[];
  /** Several words without an order of their own: architectures, releases. */
  tags: string[];
  /** One of the field's choices; its rank is its place among them. */
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

const ofWords = [
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
const ofChoice = [
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
const ofNumber = [
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
const ofDate = [
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
const ofFlag = ['equal', 'not_equal', 'is_null', 'is_not_null'] as const;

/** In the order in which they are offered; the first is the default. */
export const operatorsOfKind = {
  text: ofWords,
  prose: ofWords,
  identifier: ofWords,
  identifiers: ofWords,
  tags: ofWords,
  link: ofWords,
  choice: ofChoice,
  number: ofNumber,
  decimal: ofNumber,
  size: ofNumber,
  date: ofDate,
  flag: ofFlag,
} as const satisfies Record<FieldKind, readonly Operator[]>;
