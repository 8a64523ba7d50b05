/** What the database keeps as it is given, and a person reads in one line: no control characters, no half of a surrogate pair. */

export const isPlainText = (text: string): boolean => !/[\p{Cc}\p{Cs}]/u.test(text);

export const plainTextRule = 'must be one line without control characters';
