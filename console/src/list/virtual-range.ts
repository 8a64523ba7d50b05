/** Which rows of a long list are drawn: those in view, some before and behind them, and the one that the keyboard stands on. */

/** Rows from `start` up to, without, `end`. */
export interface RowRange {
  readonly start: number;
  readonly end: number;
}

/** A row to draw; or, in pixels, the room of rows that are not drawn. */
export type VirtualItem =
  | { readonly kind: 'row'; readonly index: number }
  | { readonly kind: 'gap'; readonly height: number; readonly from: number };

/** Never so many rows at once that drawing them can be felt. */
const mostDrawn = 140;
const beyondView = 16;
const leastBeyondView = 4;
const rowsPerStep = 6;

/** Where each row begins, and last where the list ends: one more than there are rows. */
export function rowOffsets(heights: Iterable<number>): readonly number[] {
  let at = 0;
  return [0, ...Array.from(heights, (height) => (at += height))];
}

/** `top` and `bottom`: of what is in view, from the first row's top. */
export function rowsInView(offsets: readonly number[], top: number, bottom: number): RowRange {
  const last = Math.max(0, offsets.length - 2);
  const start = Math.min(last, Math.max(0, firstAbove(offsets, top) - 1));
  return { start, end: Math.max(start, Math.min(offsets.length - 1, firstAbove(offsets, bottom))) };
}

/** Of sorted numbers the place of the first that is greater. */
function firstAbove(numbers: readonly number[], limit: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) > limit) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * What to draw next. At once there is what is in view with a little around it; the rest follows in steps, each of which adds few
 * rows, so that none can be felt. The same range again when nothing is missing.
 */
export function nextDrawn(drawn: RowRange, inView: RowRange, count: number): RowRange {
  const spare = Math.floor((mostDrawn - (inView.end - inView.start)) / 2);
  const beyond = Math.max(leastBeyondView, Math.min(beyondView, spare));
  const least = around(inView, leastBeyondView, count);
  const most = around(inView, beyond, count);
  const close = around(inView, beyond - leastBeyondView, count);
  const tooMany = drawn.end - drawn.start > mostDrawn || drawn.end > count;
  if (covers(drawn, close) && !tooMany) return drawn;
  const isJump = drawn.end <= least.start || drawn.start >= least.end;
  if (isJump) return least;
  const { start, end } = within(drawn, most);
  return {
    start: Math.min(least.start, Math.max(most.start, start - rowsPerStep)),
    end: Math.max(least.end, Math.min(most.end, end + rowsPerStep)),
  };
}

const around = ({ start, end }: RowRange, rows: number, count: number): RowRange => ({
  start: Math.max(0, start - rows),
  end: Math.min(count, end + rows),
});
const covers = (one: RowRange, other: RowRange): boolean =>
  one.start <= other.start && one.end >= other.end;
const within = (one: RowRange, limits: RowRange): RowRange => ({
  start: Math.max(one.start, limits.start),
  end: Math.min(one.end, limits.end),
});

/** Rows and gaps in their order. `kept`: the row that is always drawn. */
export function virtualItems(
  offsets: readonly number[],
  { start, end }: RowRange,
  kept: number,
): readonly VirtualItem[] {
  const count = offsets.length - 1;
  const drawn = Array.from({ length: Math.max(0, end - start) }, (_, at) => start + at);
  const indexes =
    kept < 0 || kept >= count || (kept >= start && kept < end)
      ? drawn
      : kept < start
        ? [kept, ...drawn]
        : [...drawn, kept];
  const items: VirtualItem[] = [];
  let next = 0;
  for (const index of [...indexes, count]) {
    if (index > next)
      items.push({
        kind: 'gap',
        height: (offsets[index] ?? 0) - (offsets[next] ?? 0),
        from: next,
      });
    if (index < count) items.push({ kind: 'row', index });
    next = index + 1;
  }
  return items;
}
