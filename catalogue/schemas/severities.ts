import type { UnknownWord } from '../definition/feed.ts';

/** The severities that every vendor's words are mapped to, lowest first. */
export const severities = [
  'Unspecified',
  'None',
  'Low',
  'Moderate',
  'Important',
  'Critical',
] as const;

export type Severity = (typeof severities)[number];

const vendorWords: Readonly<Record<string, Severity>> = {
  unspecified: 'Unspecified',
  // Rocky Linux and Oracle Linux write it for unrated advisories.
  unknown: 'Unspecified',
  'n/a': 'Unspecified',
  none: 'None',
  low: 'Low',
  medium: 'Moderate',
  moderate: 'Moderate',
  moderte: 'Moderate', // typed by hand in CentOS announcements
  high: 'Important',
  important: 'Important',
  critical: 'Critical',
};

/** Maps a vendor's word; missing and unknown words become Unspecified. */
export function toSeverity(vendorWord: string | null | undefined): Severity {
  return findSeverity(vendorWord) ?? 'Unspecified';
}

/** Vendors' words for the urgency of a fix that the scale does not contain. */
const urgencies: Readonly<Record<string, Severity>> = { negligible: 'Low', unimportant: 'Low' };

/** Maps each word of a vendor's vocabulary to the scale. */
export const toSeverityScale = (words: readonly string[]): Readonly<Record<string, Severity>> =>
  Object.fromEntries(words.map((word) => [word, urgencies[word] ?? toSeverity(word)]));

/** Returns the word for the run's report; an empty list when it is missing or mapped. */
export function findUnknownSeverity(vendorWord: string | null | undefined): UnknownWord[] {
  const word = vendorWord?.trim() ?? '';
  return word === '' || findSeverity(word) !== null
    ? []
    : [{ vocabulary: 'severity', word, shownAs: 'Unspecified' }];
}

function findSeverity(vendorWord: string | null | undefined): Severity | null {
  const word =
    vendorWord
      ?.trim()
      .toLowerCase()
      .replace(/^severity_/, '') ?? '';
  return (Object.hasOwn(vendorWords, word) ? vendorWords[word] : undefined) ?? null;
}

/** Returns whether records of the severity are urgent though nobody is known to exploit them. */
export const isSerious = (severity: string | null): boolean =>
  severity === 'Critical' || severity === 'Important';

/** Returns the higher of two; Unspecified is below all others. */
export function getHigherSeverity(a: Severity, b: Severity): Severity {
  return severities.indexOf(a) >= severities.indexOf(b) ? a : b;
}
