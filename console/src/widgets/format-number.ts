/** Formats counts with separators: 12,345. */
const format = new Intl.NumberFormat('en');

export const formatNumber = (count: number): string => format.format(count);
