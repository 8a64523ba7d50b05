/** Which pages a numbered pager offers: the first, the last, and those around the present one. */

export type PageStep = number | 'earlier' | 'later';

/**
 * As many steps for every page of a list, so that none moves under the pointer. `earlier` and `later` stand for at least two pages
 * each that are not offered. `beside`: pages to each side of the present one.
 */
export function pageNumbers(page: number, last: number, beside: number): readonly PageStep[] {
  const atAnEnd = 2 * beside + 3;
  if (last <= atAnEnd + 2) return pages(1, last);
  if (page <= beside + 3) return [...pages(1, atAnEnd), 'later', last];
  if (page >= last - beside - 2) return [1, 'earlier', ...pages(last - atAnEnd + 1, last)];
  return [1, 'earlier', ...pages(page - beside, page + beside), 'later', last];
}

const pages = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, place) => from + place);
