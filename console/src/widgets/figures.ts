/** Counts as people read them: 12,345. */
const format = new Intl.NumberFormat('en');

export const figures = (count: number): string => format.format(count);
