/** A fingerprint of what a vendor says of a record: the same words give the same hash, whatever the order of the keys. */
import { sha256Base64Url } from '@patch/catalogue/parsers/sha256.ts';

export function contentHash(
  row: Readonly<Record<string, unknown>>,
  detail: Readonly<Record<string, unknown>>,
): string {
  return sha256Base64Url(JSON.stringify([row, detail], inOrder));
}

/** Keys sorted; what is undefined is left out by JSON itself, and null says the same: the vendor does not say. */
function inOrder(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).filter(
    ([, inner]) => inner !== null && inner !== undefined,
  );
  return Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
