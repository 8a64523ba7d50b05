/** Red Hat advisories (RHSA-2024:1234) that errata of rebuilds come from. */

const advisory = /\bRH([SBE])A-(\d{4})[:-](\d{3,5})(?!\d)/gi;

/** Finds ids in words or addresses, each once: `https://rhn.redhat.com/errata/RHSA-2012-0001.html` is RHSA-2012:0001. */
export function findRedHatAdvisories(texts: Iterable<string | null>): string[] {
  const ids = new Set<string>();
  for (const text of texts) {
    for (const [, kind = '', year, number] of text?.matchAll(advisory) ?? [])
      ids.add(`RH${kind.toUpperCase()}A-${year}:${number}`);
  }
  return [...ids];
}

/** Returns a row of an erratum's references, for vendors that write the id or an address alone. */
export function toRedHatReference(
  id: string,
  address: string | null = `https://access.redhat.com/errata/${id}`,
) {
  return { name: id, type: id.slice(0, 'RHSA'.length).toLowerCase(), title: null, address };
}
