/** The index of a list: its segments, and which of them a reader applies. */
import { z } from 'zod';
import { parseTreeLine, splitLines } from './tree-signatures.ts';

const count = z.number().int().min(0);

/** 16 MiB. */
export const largestIndex = 16_777_216;

/** The records that changed after revision `from` up to revision `to`; from 0: all listed records. */
export const Segment = z.object({
  from: count,
  to: count,
  /** When it was written, in epoch milliseconds. */
  time: count,
  /** The period whose key seals it. */
  period: count,
  sha256: z.string().regex(/^[\da-f]{64}$/),
  /** Length of the file. */
  bytes: count,
  /** Length of its lines. */
  plainBytes: count,
  lines: count,
});
export type Segment = z.infer<typeof Segment>;

interface ListPlace {
  readonly epoch: string;
  readonly list: string;
}

export const segmentPath = (
  { epoch, list }: ListPlace,
  { from, to, sha256 }: Pick<Segment, 'from' | 'to' | 'sha256'>,
) => `${epoch}/${list}/${from}-${to}.${sha256}.jsonl.zst.sealed`;

export const indexPath = ({ epoch, list }: ListPlace, to: number, sha256: string) =>
  `${epoch}/${list}/${to}.${sha256}.index`;

/** The paths of segments and indexes, with the SHA-256 of their content. */
export const treeFilePath =
  /^[\w-]{1,64}\/[\w-]{1,64}\/[\d-]+\.([\da-f]{64})\.(?:index|jsonl\.zst\.sealed)$/;

export const writeIndex = (segments: readonly Segment[]): Buffer =>
  Buffer.from(segments.map((segment) => `${JSON.stringify(segment)}\n`).join(''));

/** @throws TreeRefusal `malformed`. */
export const readIndex = (bytes: Uint8Array): readonly Segment[] =>
  splitLines(bytes, 'an index').map((line) => parseTreeLine(line, Segment, 'a segment'));

/** A file costs as much as these bytes more: about those of its request. */
export const fileCost = 300;

/**
 * Returns the segments that bring a reader from a revision to another one with the fewest bytes; null when no way leads there.
 * @param position - 0 for a reader without a copy.
 */
export function chooseSegments(
  segments: readonly Segment[],
  position: number,
  target: number,
): readonly Segment[] | null {
  interface Way {
    readonly cost: number;
    readonly last: Segment | null;
    readonly before: number;
  }
  const ways = new Map<number, Way>([[position, { cost: 0, last: null, before: position }]]);
  // Each segment leads to a higher revision, so that all ways to its begin are known when it is its turn.
  for (const segment of segments.toSorted((one, other) => one.to - other.to))
    for (const [at, { cost }] of ways) {
      if (segment.from > at || segment.to <= at || segment.to > target) continue;
      const price = cost + segment.bytes + fileCost;
      if (price < (ways.get(segment.to)?.cost ?? Number.POSITIVE_INFINITY))
        ways.set(segment.to, { cost: price, last: segment, before: at });
    }
  const chosen: Segment[] = [];
  for (let at = target; at !== position; ) {
    const way = ways.get(at);
    if (way === undefined || way.last === null) return null;
    chosen.unshift(way.last);
    at = way.before;
  }
  return chosen;
}
