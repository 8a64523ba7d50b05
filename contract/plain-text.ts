/** What the database keeps as it is given, and a person reads in one line. */

/**
 * No control characters, no line or paragraph separators, no half of a surrogate pair; and no invisible characters that turn the
 * direction of text or hide in it, so that two names which look alike are alike. The joiners that scripts need (U+200C, U+200D) may stand.
 */
export const isPlainText = (text: string): boolean =>
  !/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]|(?![\u200C\u200D])\p{Cf}/u.test(text);

export const plainTextRule = 'must be one line without control or invisible characters';

/** By which people are told apart: plain text without any invisible character. */
export const isPlainName = (text: string): boolean => isPlainText(text) && !/\p{Cf}/u.test(text);
