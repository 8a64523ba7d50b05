/** Rules for text that the database stores unchanged and that people read in one line. */

/**
 * Refuses control characters, line and paragraph separators, and lone surrogates; also invisible characters that change the
 * direction of text or hide in it, so that names that look alike are equal. The joiners that scripts need (U+200C, U+200D) are
 * allowed.
 */
export const isPlainText = (text: string): boolean =>
  !/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]|(?![\u200C\u200D])\p{Cf}/u.test(text);

export const plainTextRule = 'must be one line without control or invisible characters';

/** Accepts several lines of plain text, and tabs. */
export const isPlainLines = (text: string): boolean => text.split(/\r?\n|\t/).every(isPlainText);

export const plainLinesRule = 'must be lines without control characters';

/** Accepts plain text without any invisible character, for names that distinguish people. */
export const isPlainName = (text: string): boolean => isPlainText(text) && !/\p{Cf}/u.test(text);
