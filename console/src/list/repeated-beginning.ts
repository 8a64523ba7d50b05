/** Titles that begin like many others on the page, shortened in the middle of what repeats: '2026-05 … for Windows 11 Version 23H2'. */

/** A beginning repeats when so many titles of the page have it. */
const leastTitles = 3;
const leastShare = 0.15;
/** More of a list that grows is not looked at. */
const titlesLookedAt = 200;
const longestBeginning = 24;
/** One word less is not worth three dots. */
const leastLeftOut = 2;

export interface RepeatedBeginnings {
  /** How many of the title's words, from its first, many titles begin with. */
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

/** '2026-05', '2026-05 Security', '2026-05 Security Update', …; the whole title is none. */
function beginnings(title: string): string[] {
  const words = title.split(' ').slice(0, longestBeginning + 1);
  return words.slice(0, -1).map((_, place) => words.slice(0, place + 1).join(' '));
}

/**
 * The title without as many of its repeated words as it takes to fit; its first word stays. Undefined when it fits as it is, or
 * when too little repeats to be left out. `widthOf` and `room` are in the same unit.
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
