/** Normalizes vendors' loosely written words, the same for every vendor. */
import type { z } from 'zod';

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
 * Returns a CVE id in capitals; null for anything else, because vendors put bug addresses and candidate numbers where CVEs
 * belong.
 */
export function toCveId(value: unknown): string | null {
  const word = toWord(value)?.toUpperCase() ?? '';
  return /^CVE-\d{4}-\d{4,}$/.test(word) ? word : null;
}

/** Splits text that a vendor wrote instead of a list and that consists of CVE ids; returns any other value unchanged. */
export function splitCveText(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const ids = value.split(/[\s,;]+/).filter((id) => id !== '');
  return ids.length > 0 && ids.every((id) => toCveId(id) !== null) ? ids : value;
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
