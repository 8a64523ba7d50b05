/** Formats counts with separators: 12,345. */
const format = new Intl.NumberFormat('en');

export const formatNumber = (count: number): string => format.format(count);

/** What is counted, for one and for several: `['machine misses', 'machines miss']`. */
export type Counted = readonly [one: string, several: string];

export const inflect = (count: number, [one, several]: Counted): string =>
  count === 1 ? one : several;

/** Returns '1,200 records'. */
export const formatCount = (count: number, counted: Counted): string =>
  `${formatNumber(count)} ${inflect(count, counted)}`;
