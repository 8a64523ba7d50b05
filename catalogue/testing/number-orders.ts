/**
 * Keys that order identifiers and versions by bytes, with numbers compared by value: equals of the database's functions `natural_order` and
 * `version_order`, of folded text.
 */

/** Length of a key's input: a key must fit into an index. */
const maxCharacters = 100;
const keyDigits = 19;

/** KB891716 before KB5097150, ALSA-2024:1075 before ALSA-2024:10702. */
export function naturalOrder(folded: string): string {
  return Array.from(folded)
    .slice(0, maxCharacters)
    .join('')
    .replace(/[0-9]+/g, (digits) => digits.padStart(keyDigits, '0').slice(-keyDigits));
}

const beforeAll = '\u0001';
const end = '\u0002';

/**
 * Returns a key in the order of dpkg and rpm: a tilde comes before the end, the end before a dash, letters before dots; a missing
 * epoch is 0.
 */
export function versionOrder(folded: string): string {
  const key = naturalOrder(/^[0-9]+:/.test(folded) ? folded : `0:${folded}`);
  // The last dash begins the revision, the others are part of the version.
  const inner = key.replace(/-(?=.*-)/g, '|');
  return inner.replaceAll('~', beforeAll).replaceAll('.', '}').replaceAll('+', '{') + end;
}
