/**
 * Text as it is compared: composed (NFC) and in lower case. All code that writes, searches or parses text folds it with this one
 * function, so that no database's locale has a say in what is equal.
 */
export function fold(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
