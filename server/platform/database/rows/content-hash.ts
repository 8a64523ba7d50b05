/** Computes a fingerprint of a record's content, independent of the order of keys. */
import { sha256Base64Url } from '@patch/catalogue/parsers/sha256.ts';

export function contentHash(
  row: Readonly<Record<string, unknown>>,
  detail: Readonly<Record<string, unknown>>,
): string {
  return sha256Base64Url(JSON.stringify([sortKeys(row), sortKeys(detail)]));
}

/** Sorts keys and omits null and undefined, which both mean that the vendor states nothing. Arrays keep their order. */
function sortKeys(value: unknown): unknown {
  if (!isObject(value)) return value;
  if (Array.isArray(value)) return value.some(isObject) ? value.map(sortKeys) : value;
  const sorted: Record<string, unknown> = {};
  for (const key of Object.keys(value).sort()) {
    const inner = (value as Readonly<Record<string, unknown>>)[key];
    if (inner !== null && inner !== undefined) sorted[key] = sortKeys(inner);
  }
  return sorted;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
