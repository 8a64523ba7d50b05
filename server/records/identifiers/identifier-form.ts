/** Identifiers of one form differ in their numbers alone: KB5034441 and KB5034439, ALSA-2024:1691 and ALSA-2023:0095. */

/** The same text around numbers of as many digits each, as a regular expression of SQL; null for a text without a number. */
export function formPattern(identifier: string): string | null {
  if (!/\d/.test(identifier)) return null;
  const parts = identifier.split(/(\d+)/);
  const written = parts.map((part, place) =>
    place % 2 === 1 ? `[0-9]{${part.length}}` : part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'),
  );
  return `^${written.join('')}$`;
}

/** Which of two identifiers of that form is nearer to the asked one: the first number decides, then the next. */
export function compareDistance(asked: string, one: string, other: string): number {
  const [a, b] = [numbersIn(one), numbersIn(other)];
  for (const [place, number] of numbersIn(asked).entries()) {
    const difference = distance(number, a[place]) - distance(number, b[place]);
    if (difference !== 0) return difference;
  }
  return one < other ? -1 : Number(one > other);
}

const numbersIn = (identifier: string): readonly number[] =>
  (identifier.match(/\d+/g) ?? []).map(Number);

const distance = (from: number, to = Number.MAX_VALUE) => Math.abs(from - to);
