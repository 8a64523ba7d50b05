/** Letters that lower case leaves apart, and the ones that people type for them: the i of Turkish, sharp s, final sigma, ligatures. */
const likeness: Readonly<Record<string, string>> = {
  ı: 'i',
  ß: 'ss',
  ς: 'σ',
  ſ: 's',
  ﬀ: 'ff',
  ﬁ: 'fi',
  ﬂ: 'fl',
  ﬃ: 'ffi',
  ﬄ: 'ffl',
  ﬅ: 'st',
  ﬆ: 'st',
};

const hasLikeness = /[iıﬁﬃ]\u0307+|[ıßςſﬀ-ﬆ]/g;

/**
 * Text as it is compared: composed (NFC), in lower case, and without differences that upper case hides: "İ", "I" and "ı" are an "i",
 * "ß" is "ss". All code that writes, searches or parses text folds it with this one function, so that no database's locale has a say in
 * what is equal. Another folding needs a migration that folds what is stored again.
 */
export function fold(text: string): string {
  const lower = text.normalize('NFC').toLowerCase();
  return lower.search(hasLikeness) >= 0
    ? lower.replace(hasLikeness, (letter) => likeness[letter.charAt(0)] ?? 'i').normalize('NFC')
    : lower;
}
