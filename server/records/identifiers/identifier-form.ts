/** Compares identifiers of the same form, which differ only in their numbers: ALSA-2024:1691 and ALSA-2023:0095. */

/** Returns an SQL regular expression for the same text with other numbers of the same lengths; null for a text without a number. */
export function createFormPattern(identifier: string): string | null {
  if (!/\d/.test(identifier)) return null;
  const parts = identifier.split(/(\d+)/);
  const written = parts.map((part, index) =>
    index % 2 === 1 ? `[0-9]{${part.length}}` : part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'),
  );
  return `^${written.join('')}$`;
}

/** Compares two identifiers by their distance to the target. The first number decides, then the next. */
export function compareDistance(target: string, left: string, right: string): number {
  const [a, b] = [parseNumbers(left), parseNumbers(right)];
  for (const [index, number] of parseNumbers(target).entries()) {
    const difference = distance(number, a[index]) - distance(number, b[index]);
    if (difference !== 0) return difference;
  }
  return left < right ? -1 : Number(left > right);
}

const parseNumbers = (identifier: string): readonly number[] =>
  (identifier.match(/\d+/g) ?? []).map(Number);

const distance = (from: number, to = Number.MAX_VALUE) => Math.abs(from - to);
