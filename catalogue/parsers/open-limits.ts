/** How much a document may open to: compression turns five megabytes into five gigabytes, and every reader has to be spared them. */

/** No vendor's document comes near; a feed may ask for less, never for more. Bytes. */
export const maxOpenBytes = 4 * 1024 ** 3;

/** Of a document for which neither its feed nor its source says anything. Bytes. */
export const defaultOpenBytes = 1024 ** 3;

/** The strongest compression that was met in vendors' documents is 60-fold; what a bomb needs is 1,000-fold. */
const maxRatio = 200;

/** Below this the ratio says nothing: an index of a hundred equal lines compresses well. Bytes. */
const ratioFrom = 128 * 1024 ** 2;

/** Of what is read into one string. Bytes. */
export const maxTextBytes = 64 * 1024 ** 2;

export interface OpenLimit {
  /** Bytes, once decompressed. */
  readonly bytes: number;
  /** Continues 'it opens to more than …': by which limit. */
  readonly reason: string;
}

/** `size`: bytes as served. `asked`: what feed and source allow. The least of all limits holds. */
export function openLimit(size: number, asked: number = defaultOpenBytes): OpenLimit {
  const absolute = Math.min(asked, maxOpenBytes);
  const byRatio = Math.max(ratioFrom, size * maxRatio);
  if (byRatio < absolute)
    return { bytes: byRatio, reason: `${count(byRatio)} bytes, ${maxRatio} times what was served` };
  return { bytes: absolute, reason: `${count(absolute)} bytes` };
}

const count = (bytes: number) => bytes.toLocaleString('en');
