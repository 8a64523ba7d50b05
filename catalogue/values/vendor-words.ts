/** What a vendor's loosely written words become, the same for every vendor. */
import type { z } from 'zod';

/** Words on one line, without the space around them; a number is its digits; what is empty or something else is null. */
export function wordOf(value: unknown): string | null {
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

/** Each word once, in the order they come; what is empty is left out. */
export function distinctWords(values: Iterable<unknown>): string[] {
  const words = new Set<string>();
  for (const value of values) {
    const word = wordOf(value);
    if (word !== null) words.add(word);
  }
  return [...words];
}

/** A CVE id in capitals; null for anything else: vendors put bug addresses and candidate numbers where CVEs belong. */
export function cveIdOf(value: unknown): string | null {
  const word = wordOf(value)?.toUpperCase() ?? '';
  return /^CVE-\d{4}-\d{4,}$/.test(word) ? word : null;
}

/** Text in place of a list: split where it holds nothing but CVE ids; any other value as it is. */
export function splitCveText(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const ids = value.split(/[\s,;]+/).filter((id) => id !== '');
  return ids.length > 0 && ids.every((id) => cveIdOf(id) !== null) ? ids : value;
}

/** An address of the web; null for anything else. */
export function webAddressOf(value: unknown): string | null {
  const word = wordOf(value);
  return word !== null && /^https?:\/\/\S+$/i.test(word) && URL.canParse(word) ? word : null;
}

/** Names the field that does not fit, for a rejection: `packages.3.name: Invalid input: expected string, received number`, `packages.3.name is missing`. */
export function invalidReason(error: z.ZodError): string {
  const issue = error.issues[0];
  if (issue === undefined) return 'it does not have the expected form';
  const place = issue.path.map(String).join('.') || 'the record';
  if (issue.message.endsWith('received undefined')) return `${place} is missing`;
  return issue.message.endsWith('received null')
    ? `${place} is empty`
    : `${place}: ${issue.message}`;
}
