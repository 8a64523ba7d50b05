import type { UnknownWord } from '../definition/feed.ts';

/** The severities every vendor's own words are mapped onto, lowest rank first. */
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
  // Rocky Linux and Oracle Linux say so of what they did not rate.
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

/** A vendor's word for a severity as ours; what is missing or unknown is Unspecified. */
export function severityOf(vendorWord: string | null | undefined): Severity {
  return knownSeverityOf(vendorWord) ?? 'Unspecified';
}

/** None when the word is missing or mapped; else the word, for the run to report. */
export function unknownSeverity(vendorWord: string | null | undefined): UnknownWord[] {
  const word = vendorWord?.trim() ?? '';
  return word === '' || knownSeverityOf(word) !== null
    ? []
    : [{ vocabulary: 'severity', word, shownAs: 'Unspecified' }];
}

function knownSeverityOf(vendorWord: string | null | undefined): Severity | null {
  const word =
    vendorWord
      ?.trim()
      .toLowerCase()
      .replace(/^severity_/, '') ?? '';
  return (Object.hasOwn(vendorWords, word) ? vendorWords[word] : undefined) ?? null;
}

/** The higher of two; Unspecified is below all others. */
export function higherSeverity(one: Severity, other: Severity): Severity {
  return severities.indexOf(one) >= severities.indexOf(other) ? one : other;
}
