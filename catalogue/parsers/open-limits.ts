/** Limits of decompressed sizes: compression can turn five megabytes into five gigabytes. */

/** Absolute limit in bytes, far above any vendor's document; a feed may set less but never more. */
export const maxOpenBytes = 4 * 1024 ** 3;

/** Limit in bytes when neither feed nor source sets one. */
export const defaultOpenBytes = 1024 ** 3;

/** Vendors' documents are compressed at most 60-fold; a bomb needs 1,000-fold. */
const maxRatio = 200;

/** Size in bytes below which the ratio is not checked: an index of a hundred equal lines compresses well. */
const ratioFrom = 128 * 1024 ** 2;

/** Limit in bytes of text that is read into one string. */
export const maxTextBytes = 64 * 1024 ** 2;

export interface OpenLimit {
  /** Bytes, once decompressed. */
  readonly bytes: number;
  /** Continues 'it opens to more than …' with the limit that applied. */
  readonly reason: string;
}

/**
 * Returns the lowest of all limits.
 * @param size bytes as served.
 * @param allowed bytes that feed and source allow.
 */
export function openLimit(size: number, allowed: number = defaultOpenBytes): OpenLimit {
  const absolute = Math.min(allowed, maxOpenBytes);
  const byRatio = Math.max(ratioFrom, size * maxRatio);
  if (byRatio < absolute)
    return { bytes: byRatio, reason: `${count(byRatio)} bytes, ${maxRatio} times what was served` };
  return { bytes: absolute, reason: `${count(absolute)} bytes` };
}

const count = (bytes: number) => bytes.toLocaleString('en');
