/**
 * Letters that lower case leaves distinct, with the letters that people type for them: Turkish i, sharp s, final sigma,
 * ligatures.
 */
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

/** Most texts have none, and are folded in half of the time. */
const beyondAscii = /[^\0-\x7f]/;

/**
 * Folds text for comparison: composed (NFC), in lower case, and without differences that upper case hides: "İ", "I" and "ı"
 * become "i", "ß" becomes "ss". All code that writes, searches or parses text uses this function, so that no database locale
 * decides what is equal. Changing it needs a migration that folds stored text again.
 */
export function fold(text: string): string {
  if (!beyondAscii.test(text)) return text.toLowerCase();
  const lower = text.normalize('NFC').toLowerCase();
  return lower.search(hasLikeness) >= 0
    ? lower.replace(hasLikeness, (letter) => likeness[letter.charAt(0)] ?? 'i').normalize('NFC')
    : lower;
}
