/** Readings of a query that finds no record: with its names as words, or with fewer of its parts. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import { getField, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { QueryPart, ReadQuery } from '@patch/contract/records/search-endpoint.ts';
import type { NameDictionary } from './name-dictionary.ts';
import { cveField } from './query-meanings.ts';
import { isIdentifier, joinParts } from './query-parts.ts';
import type { KnownWords } from './spelling.ts';

/** Parts that are left out together, before all but one are. */
const maxLeftOut = 2;
/** Records that have the word of a subject at least, as most packages have. */
const subjectRecords = 5;

/** Words that say how a machine fails, which few records do. */
const symptoms = new Set(
  [
    'bluescreen bsod crash crashes error errors fail failed fails failing failure hang hangs install installation',
    'issue issues problem problems slow stuck fehler fehlgeschlagen absturz installieren problem probleme',
    'hata hatası sorun sorunu yükleme yüklenmiyor',
  ].flatMap((words) => words.split(' ').map(fold)),
);

/** Returns the readings in which one name is a word: `apache` of `apache ubuntu 22.04` is a foundation, and a package. */
export const listReadingsAsWords = (
  { parts }: ReadQuery,
  names: NameDictionary,
): readonly ReadQuery[] =>
  parts.flatMap(({ criterion, text }, at) =>
    criterion === undefined ||
    !names.has(criterion.paramName) ||
    criterion.operator.startsWith('not_')
      ? []
      : [joinParts(parts.with(at, { text, keyword: text }))],
  );

/**
 * Returns the readings without one of the parts, those without two, and those with one part alone; in each, what is needed least is left
 * out first. Phrases and identifiers are never left out: a record without them is another one.
 */
export function listShorterReadings(
  list: ListDefinition,
  { parts }: ReadQuery,
  texts: KnownWords | null,
): readonly (readonly ReadQuery[])[] {
  const needs = new Map(parts.map((part, at) => [at, getNeed(list, part, texts)]));
  const optional = [...needs.keys()]
    .filter((at) => needs.get(at) !== null)
    .toSorted((one, other) => (needs.get(one) ?? 0) - (needs.get(other) ?? 0));
  const present = parts.filter(({ leftOut, sort }) => leftOut !== true && !sort).length;
  const without = (places: readonly number[]) =>
    places.length < present
      ? [joinParts(parts.map((part, at) => (places.includes(at) ? leaveOut(part) : part)))]
      : [];
  const pairs = optional.flatMap((one, n) => optional.slice(n + 1).map((other) => [one, other]));
  const levels = [optional.map((at) => [at]), pairs].slice(0, maxLeftOut);
  const alone = optional.toReversed().map((kept) => optional.filter((at) => at !== kept));
  return [
    ...levels.map((level) => level.flatMap(without)),
    optional.length > maxLeftOut + 1 ? alone.flatMap(without) : [],
  ];
}

/** The further words of a short form have no text of their own. */
export const leaveOut = ({ text, keyword = '' }: QueryPart): QueryPart => ({
  text: text === '' ? keyword : text,
  leftOut: true,
});

/** Returns how much the part says, the less the sooner it is left out; null for what is never left out, as an order, or is already. */
function getNeed(
  list: ListDefinition,
  { criterion, keyword, leftOut, sort }: QueryPart,
  texts: KnownWords | null,
): number | null {
  if (leftOut === true || sort !== undefined) return null;
  if (criterion !== undefined) {
    if (criterion.paramName === cveField) return null;
    const { kind } = getField(list, criterion.paramName);
    return kind === 'choice' ? 1 : kind === 'date' ? 2 : kind === 'flag' ? 3 : 5;
  }
  const word = fold(keyword ?? '');
  if (word.startsWith('"') || isIdentifier(word)) return null;
  if (symptoms.has(word)) return 0;
  const count = texts?.count(word) ?? 0;
  // Between 4 and 5, or 6 and 7, by the number of records.
  return (count < subjectRecords ? 4 : 6) + count / (count + 1);
}
