/** Shortens titles with a beginning that repeats on the page: '2026-05 … for Windows 11 Version 23H2'. */

/** Minimum number and share of titles for a repeated beginning. */
const leastTitles = 3;
const leastShare = 0.15;
/** Limits the work for a list that grows. */
const titlesLookedAt = 200;
const longestBeginning = 24;
/** Omitting a single word is not worth an ellipsis. */
const leastLeftOut = 2;

export interface RepeatedBeginnings {
  /** Returns the number of words in the repeated beginning of a title. */
  readonly wordsOf: (title: string) => number;
}

export function repeatedBeginnings(titles: readonly string[]): RepeatedBeginnings {
  const sample = titles.slice(0, titlesLookedAt);
  const counts = new Map<string, number>();
  for (const title of sample)
    for (const beginning of beginnings(title))
      counts.set(beginning, (counts.get(beginning) ?? 0) + 1);
  const least = Math.max(leastTitles, sample.length * leastShare);
  return {
    wordsOf: (title) =>
      beginnings(title).filter((beginning) => (counts.get(beginning) ?? 0) >= least).length,
  };
}

/** Returns '2026-05', '2026-05 Security', '2026-05 Security Update', …, without the complete title. */
function beginnings(title: string): string[] {
  const words = title.split(' ').slice(0, longestBeginning + 1);
  return words.slice(0, -1).map((_, index) => words.slice(0, index + 1).join(' '));
}

/**
 * Omits as many repeated words as necessary to fit and keeps the first word. Returns undefined when the title fits, or when too
 * little repeats.
 * @param room - Available width, in the unit of `widthOf`.
 */
export function shortenedTitle(
  title: string,
  { wordsOf }: RepeatedBeginnings,
  room: number,
  widthOf: (text: string) => number,
): string | undefined {
  if (widthOf(title) <= room) return undefined;
  const [first = '', ...rest] = title.split(' ');
  const mostLeftOut = wordsOf(title) - 1;
  let shortened: string | undefined;
  for (let leftOut = leastLeftOut; leftOut <= mostLeftOut; leftOut += 1) {
    shortened = `${first} … ${rest.slice(leftOut).join(' ')}`;
    if (widthOf(shortened) <= room) return shortened;
  }
  return shortened;
}
