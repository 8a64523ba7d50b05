/** Normalizes vendors' loosely written words, the same for every vendor. */
import type { z } from 'zod';
import type { UnknownWord } from '../definition/feed.ts';

/** Trims a word and joins its lines; a number becomes its digits. Returns null for an empty or any other value. */
export function toWord(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') return null;
  const word = value.trim();
  return (
    (/[\r\n]/.test(word)
      ? word
          .split(/[\r\n]+/)
          .map((line) => line.trim())
          .join(' ')
      : word) || null
  );
}

/** Returns each word once, in order, without empty ones. */
export function distinctWords(values: Iterable<unknown>): string[] {
  const words = new Set<string>();
  for (const value of values) {
    const word = toWord(value);
    if (word !== null) words.add(word);
  }
  return [...words];
}

/**
 * Returns the CVE id of a record in capitals; null for anything else. `findCveIds` reads the CVEs that a record lists.
 */
export function toCveId(value: unknown): string | null {
  const word = toWord(value)?.toUpperCase() ?? '';
  return /^CVE-\d{4}-\d{4,}$/.test(word) ? word : null;
}

const cveIds = /(?<![\w-])CVE-\d{4}-\d{4,}(?![\w-])/gi;

/** Finds the CVE ids in texts, whatever separates them: in capitals, each once. */
export function findCveIds(texts: Iterable<unknown>): string[] {
  return distinctWords(
    [...texts].flatMap((text) => toWord(text)?.toUpperCase().match(cveIds) ?? []),
  );
}

/**
 * Finds the words in texts that begin like a CVE id and are none.
 * @param areCves true for texts that the vendor declares to be CVEs: one in which nothing is an id is unknown as it is
 */
export function findUnknownCves(texts: Iterable<unknown>, areCves = false): UnknownWord[] {
  const unknown = [...texts].flatMap((text) => {
    const rest = toWord(text)?.replaceAll(cveIds, ' ') ?? '';
    const words = rest.match(/(?<![\w-])CVE-[^\s,;|{}]+/gi) ?? [];
    return areCves && words.length === 0 && findCveIds([text]).length === 0 ? [text] : words;
  });
  return distinctWords(unknown).map((word) => ({ vocabulary: 'CVE', word, shownAs: 'no CVE' }));
}

/** Wraps text with CVE ids that a vendor wrote instead of a list of them; returns any other value unchanged. */
export function toCveTexts(value: unknown): unknown {
  return typeof value === 'string' && findCveIds([value]).length > 0 ? [value] : value;
}

/** Returns a web address; null for anything else. */
export function toWebAddress(value: unknown): string | null {
  const word = toWord(value);
  return word !== null && /^https?:\/\/\S+$/i.test(word) && URL.canParse(word) ? word : null;
}

/**
 * Describes the invalid field for a rejection: `packages.3.name: Invalid input: expected string, received number`,
 * `packages.3.name is missing`.
 */
export function invalidReason(error: z.ZodError): string {
  const issue = error.issues[0];
  if (issue === undefined) return 'it does not have the expected form';
  const path = issue.path.map(String).join('.') || 'the record';
  if (issue.message.endsWith('received undefined')) return `${path} is missing`;
  return issue.message.endsWith('received null') ? `${path} is empty` : `${path}: ${issue.message}`;
}
