/** Pages that a pager offers: the first, the last, and those around the current one. */

export type PageStep = number | 'earlier' | 'later';

/**
 * Returns a constant number of steps, so that buttons do not move under the pointer. `earlier` and `later` stand for at least two
 * pages each.
 * @param beside - Number of pages on each side of the current one.
 */
export function buildPageSteps(page: number, last: number, beside: number): readonly PageStep[] {
  const edgeCount = 2 * beside + 3;
  if (last <= edgeCount + 2) return pages(1, last);
  if (page <= beside + 3) return [...pages(1, edgeCount), 'later', last];
  if (page >= last - beside - 2) return [1, 'earlier', ...pages(last - edgeCount + 1, last)];
  return [1, 'earlier', ...pages(page - beside, page + beside), 'later', last];
}

const pages = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);
