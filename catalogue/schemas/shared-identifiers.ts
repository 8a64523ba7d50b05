/** CVEs and KBs: the names by which records of several lists and vendors speak of the same thing. */
import { fold } from '../definition/fold.ts';

/** In its usual spelling; null for any other word. */
export function sharedIdentifier(words: string): string | null {
  const trimmed = words.trim();
  return /^(cve-\d{4}-\d{4,19}|kb\d{5,12})$/i.test(trimmed) ? trimmed.toUpperCase() : null;
}

/** As a person types it: a KB may come without its letters or with a blank after them. Null for what is neither a CVE nor a KB. */
export function typedIdentifier(typed: string): string | null {
  const [, digits] = /^(?:kb)?[\s-]*(\d{5,12})$/i.exec(typed.trim()) ?? [];
  return digits === undefined ? sharedIdentifier(typed) : `KB${digits}`;
}

/** The folded words it may stand as in a list: some publications write a KB without its letters. */
export function spellingsOf(identifier: string): readonly string[] {
  const folded = fold(identifier);
  const [, digits] = /^kb(\d+)$/.exec(folded) ?? [];
  return digits === undefined ? [folded] : [folded, digits];
}

export interface IdentifierPage {
  readonly label: string;
  readonly address: string;
}

/** Where the world tells of a CVE or KB; empty for other names, which only their own vendor knows. */
export function pagesOf(identifier: string): readonly IdentifierPage[] {
  if (sharedIdentifier(identifier) === null) return [];
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
