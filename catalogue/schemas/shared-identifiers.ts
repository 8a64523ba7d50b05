/** CVE and KB ids: identifiers that records of several lists and vendors share. */
import { fold } from '../definition/fold.ts';

/** Returns the id in its usual spelling, or null for any other word. */
export function parseSharedIdentifier(words: string): string | null {
  const trimmed = words.trim();
  return /^(cve-\d{4}-\d{4,19}|kb\d{5,12})$/i.test(trimmed) ? trimmed.toUpperCase() : null;
}

/** Parses an id as people type it: a KB without its letters or with a blank after them. Returns null for other words. */
export function parseTypedIdentifier(typed: string): string | null {
  const [, digits] = /^(?:kb)?[\s-]*(\d{5,12})$/i.exec(typed.trim()) ?? [];
  return digits === undefined ? parseSharedIdentifier(typed) : `KB${digits}`;
}

/** Returns the folded spellings that lists may contain: some publications write a KB without its letters. */
export function listSpellings(identifier: string): readonly string[] {
  const folded = fold(identifier);
  const [, digits] = /^kb(\d+)$/.exec(folded) ?? [];
  return digits === undefined ? [folded] : [folded, digits];
}

export interface IdentifierPage {
  readonly label: string;
  readonly address: string;
}

/** Returns public pages about a CVE or KB; none for vendor-specific names. */
export function listIdentifierPages(identifier: string): readonly IdentifierPage[] {
  if (parseSharedIdentifier(identifier) === null) return [];
  if (identifier.startsWith('CVE-')) {
    return [
      { label: 'CVE record', address: `https://www.cve.org/CVERecord?id=${identifier}` },
      { label: 'NVD', address: `https://nvd.nist.gov/vuln/detail/${identifier}` },
    ];
  }
  return [
    {
      label: 'Microsoft support',
      address: `https://support.microsoft.com/help/${identifier.slice('KB'.length)}`,
    },
    {
      label: 'Update catalogue',
      address: `https://www.catalog.update.microsoft.com/Search.aspx?q=${identifier}`,
    },
  ];
}
