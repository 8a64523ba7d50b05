/** Shortens titles with a beginning that repeats on the page: '2026-05 … for Windows 11 Version 23H2'. */

/** Minimum number and share of titles for a repeated beginning. */
const minTitles = 3;
const minShare = 0.15;
/** Limits the work for a list that grows. */
const maxTitles = 200;
const maxBeginningWords = 24;
/** Omitting a single word is not worth an ellipsis. */
const minOmitted = 2;

export interface RepeatedBeginnings {
  /** Returns the number of words in the repeated beginning of a title. */
  readonly countRepeatedWords: (title: string) => number;
}

export function findRepeatedBeginnings(titles: readonly string[]): RepeatedBeginnings {
  const sample = titles.slice(0, maxTitles);
  const counts = new Map<string, number>();
  for (const title of sample)
    for (const beginning of listBeginnings(title))
      counts.set(beginning, (counts.get(beginning) ?? 0) + 1);
  const minCount = Math.max(minTitles, sample.length * minShare);
  return {
    countRepeatedWords: (title) =>
      listBeginnings(title).filter((beginning) => (counts.get(beginning) ?? 0) >= minCount).length,
  };
}

/** Returns '2026-05', '2026-05 Security', '2026-05 Security Update', …, without the complete title. */
function listBeginnings(title: string): string[] {
  const words = title.split(' ').slice(0, maxBeginningWords + 1);
  return words.slice(0, -1).map((_, index) => words.slice(0, index + 1).join(' '));
}

/**
 * Omits as many repeated words as necessary to fit and keeps the first word. Returns undefined when the title fits, or when too
 * little repeats.
 * @param room - Available width, in the unit of `measure`.
 */
export function shortenTitle(
  title: string,
  { countRepeatedWords }: RepeatedBeginnings,
  room: number,
  measure: (text: string) => number,
): string | undefined {
  if (measure(title) <= room) return undefined;
  const [first = '', ...rest] = title.split(' ');
  const maxOmitted = countRepeatedWords(title) - 1;
  let shortened: string | undefined;
  for (let omitted = minOmitted; omitted <= maxOmitted; omitted += 1) {
    shortened = `${first} … ${rest.slice(omitted).join(' ')}`;
    if (measure(shortened) <= room) return shortened;
  }
  return shortened;
}
