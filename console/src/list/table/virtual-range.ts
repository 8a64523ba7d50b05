/** Determines which rows of a long list are drawn: those in view, some around them, and the row of the cursor. */

/** Range of rows; `end` is exclusive. */
export interface RowRange {
  readonly start: number;
  readonly end: number;
}

/** A row to draw, or a gap with the height in pixels of rows that are not drawn. */
export type VirtualItem =
  | { readonly kind: 'row'; readonly index: number }
  | { readonly kind: 'gap'; readonly height: number; readonly from: number };

/** Maximum number of drawn rows, for responsiveness. */
const maxDrawn = 140;
const maxBeyondView = 16;
const minBeyondView = 4;
const rowsPerStep = 6;

/** Returns the offset of each row and, last, the end of the list. */
export function toOffsets(heights: Iterable<number>): readonly number[] {
  let at = 0;
  return [0, ...Array.from(heights, (height) => (at += height))];
}

/** @param top - Top of the view relative to the first row; `bottom` likewise. */
export function findRowsInView(offsets: readonly number[], top: number, bottom: number): RowRange {
  const last = Math.max(0, offsets.length - 2);
  const start = Math.min(last, Math.max(0, findFirstAbove(offsets, top) - 1));
  return {
    start,
    end: Math.max(start, Math.min(offsets.length - 1, findFirstAbove(offsets, bottom))),
  };
}

/** Returns the index of the first number above the limit; the length when there is none. */
function findFirstAbove(numbers: readonly number[], limit: number): number {
  const index = numbers.findIndex((number) => number > limit);
  return index === -1 ? numbers.length : index;
}

/**
 * Returns the next range to draw: at once the view with a few rows around it, then the surroundings in small steps, so that the
 * page stays responsive. Returns the same range when nothing is missing.
 */
export function getNextDrawn(drawn: RowRange, inView: RowRange, count: number): RowRange {
  const spare = Math.floor((maxDrawn - (inView.end - inView.start)) / 2);
  const beyond = Math.max(minBeyondView, Math.min(maxBeyondView, spare));
  const nearest = expand(inView, minBeyondView, count);
  const farthest = expand(inView, beyond, count);
  const close = expand(inView, beyond - minBeyondView, count);
  const tooMany = drawn.end - drawn.start > maxDrawn || drawn.end > count;
  if (covers(drawn, close) && !tooMany) return drawn;
  const isJump = drawn.end <= nearest.start || drawn.start >= nearest.end;
  if (isJump) return nearest;
  const { start, end } = intersect(drawn, farthest);
  return {
    start: Math.min(nearest.start, Math.max(farthest.start, start - rowsPerStep)),
    end: Math.max(nearest.end, Math.min(farthest.end, end + rowsPerStep)),
  };
}

const expand = ({ start, end }: RowRange, rows: number, count: number): RowRange => ({
  start: Math.max(0, start - rows),
  end: Math.min(count, end + rows),
});
const covers = (outer: RowRange, inner: RowRange): boolean =>
  outer.start <= inner.start && outer.end >= inner.end;
const intersect = (range: RowRange, limits: RowRange): RowRange => ({
  start: Math.max(range.start, limits.start),
  end: Math.min(range.end, limits.end),
});

/**
 * Returns rows and gaps in order.
 * @param cursor - Index of the row that is always drawn.
 */
export function buildItems(
  offsets: readonly number[],
  { start, end }: RowRange,
  cursor: number,
): readonly VirtualItem[] {
  const count = offsets.length - 1;
  const drawn = Array.from({ length: Math.max(0, end - start) }, (_, at) => start + at);
  const indexes = new Set([...drawn, ...(cursor >= 0 && cursor < count ? [cursor] : [])]);
  const items: VirtualItem[] = [];
  let next = 0;
  for (const index of [...indexes, count].toSorted((a, b) => a - b)) {
    const height = (offsets[index] ?? 0) - (offsets[next] ?? 0);
    if (index > next) items.push({ kind: 'gap', height, from: next });
    if (index < count) items.push({ kind: 'row', index });
    next = index + 1;
  }
  return items;
}
