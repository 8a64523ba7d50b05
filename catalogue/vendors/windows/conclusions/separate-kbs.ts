/** Finds KBs that Microsoft installs beside the cumulative updates, such as those for the Secure Boot database. */
import type { KbForProduct } from '../guide/kb-for-product.ts';
import type { Vulnerability } from '../guide/msrc-fixes.ts';

/** Matches "These packages must be installed in addition to the normal security updates to be protected from this vulnerability." */
const additional =
  /\binstall(?:ed)? (?:\w+ ){0,2}in addition to (?:the|your|any|other) (?:\w+ ){0,3}(?:security|cumulative|quality) updates?\b/i;

/** Returns KBs all of whose vulnerabilities state it: a cumulative update also fixes others. */
export function findSeparateKbs(
  rows: readonly Pick<KbForProduct, 'kb' | 'ratings'>[],
  vulnerabilities: ReadonlyMap<string, Pick<Vulnerability, 'guidance'>>,
): ReadonlySet<string> {
  const separateCves = new Set(
    [...vulnerabilities]
      .filter(([, { guidance }]) =>
        guidance.faq.some(({ answer }) => answer !== null && additional.test(answer)),
      )
      .map(([cve]) => cve),
  );
  const kbs = new Map<string, boolean>();
  for (const { kb, ratings } of rows)
    kbs.set(kb, (kbs.get(kb) ?? true) && ratings.size > 0 && separateCves.isSupersetOf(ratings));
  return new Set([...kbs].filter(([, isSeparate]) => isSeparate).map(([kb]) => kb));
}
