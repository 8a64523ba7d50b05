/** Reads the terms of a query: its values and times, without those that belong to a title or a version, with what denies and joins them. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import { findDenial, findDenials, findDeniedWords, joinValues } from './denied-meanings.ts';
import {
  findMeanings,
  type ReadingScope,
  withoutOtherVersions,
  withoutTitles,
} from './found-meanings.ts';
import { isTaken, type Meant, type NamedValue } from './found-spans.ts';
import { deniedDirections, type FoundTime, findTimes, findYears, upTo } from './found-times.ts';
import { joining } from './grammar-words.ts';
import { findDateField, listedField } from './query-meanings.ts';
import type { Term } from './query-terms.ts';
import { isYear, toTimeCriterion } from './typed-times.ts';

export function readTerms(scope: ReadingScope, now: number): readonly Meant[] {
  const { list, terms, names, texts, except } = scope;
  const date = findDateField(list);
  const canCompare = date !== null && !except.has(date);
  const times = findTimes(terms, now, (at) => continuesName(scope, at)).filter(
    ({ isDirected }) => canCompare || isDirected,
  );
  const timed = { ...scope, times };
  const all = findMeanings(timed);
  const found = withoutOtherVersions(timed, withoutTitles(timed, all)).toSorted(
    (a, b) => a.start - b.start,
  );
  const years =
    canCompare && times.length === 0
      ? findYears(terms, (at) => !isVersion(timed, all, found, at))
      : [];
  const values = findDenials(list, terms, found);
  const meant = joinValues(values, names);
  const isListed = values.some(
    ({ criterion, isDenied }) => criterion.paramName === listedField && !isDenied,
  );
  const dated = readTimes(timed, found, [...times, ...years], {
    paramName: isListed ? listedField : date,
    canCompare,
  });
  const since = dated.find(({ criterion }) => criterion?.paramName === listedField)?.criterion;
  const both = meant.map((one) =>
    since !== undefined && one.criterion?.paramName === listedField
      ? { ...one, criterion: since }
      : one,
  );
  const read = [...both, ...dated];
  return joinSpans(terms, [...read, ...findDeniedWords(list, terms, read, texts)]);
}

/** Returns true for a number that a name has behind the word before it, as `debian 12`, or that a short form writes so, as `cu15`. */
function continuesName({ terms, names }: ReadingScope, at: number): boolean {
  const [before, number] = [terms[at - 1], terms[at]];
  if (before === undefined || number === undefined || before.word === '') return false;
  if (number.typed === '' || before.word === 'cu') return true;
  const words = `${before.word} ${number.word}`;
  return names
    .find(words.split(' '))
    .some((criterion) =>
      names.listValues(criterion).some((value) => ` ${fold(value)} `.includes(words)),
    );
}

/** Makes one span of those that have the same meaning and only words that join them between: `critical or important`. */
function joinSpans(terms: readonly Term[], meant: readonly Meant[]): readonly Meant[] {
  const joined: Meant[] = [];
  for (const one of meant.toSorted((a, b) => a.start - b.start)) {
    const before = joined.at(-1);
    const end = before === undefined ? 0 : before.start + before.length;
    const isSame =
      before?.criterion !== null &&
      JSON.stringify(before?.criterion) === JSON.stringify(one.criterion);
    const isBeside = terms.slice(end, one.start).every(({ word }) => joining.has(word));
    if (before !== undefined && isSame && isBeside)
      joined[joined.length - 1] = { ...before, length: one.start + one.length - before.start };
    else joined.push(one);
  }
  return joined;
}

/** Returns true for a number in a name, or behind one: it is no year. */
function isVersion(
  { terms }: ReadingScope,
  all: readonly NamedValue[],
  found: readonly NamedValue[],
  at: number,
): boolean {
  const dropped = all.filter((one) => !found.includes(one));
  if (isTaken(found, at) || isTaken(dropped, at) || isTaken(dropped, at - 1)) return true;
  // The second of `office 2016 or 2019` and `office 2016 to 2019`, of which the list has no name.
  const join = terms[at - 1]?.word ?? '';
  const isContinued = (joining.has(join) || upTo.has(join)) && isYear(terms[at - 2]?.word);
  return isContinued && isTaken(found, at - 2);
}

/** Returns the times as one criterion of the date. Those that it cannot express are left out with the words around them. */
function readTimes(
  { terms }: ReadingScope,
  found: readonly NamedValue[],
  times: readonly FoundTime[],
  { paramName, canCompare }: { readonly paramName: string | null; readonly canCompare: boolean },
): readonly Meant[] {
  const read = times.map((time) => {
    const denial = findDenial(terms, time, (at) => isTaken(found, at), false, '');
    const direction = denial === null ? time.direction : deniedDirections[time.direction];
    return {
      ...time,
      ...denial,
      direction: direction ?? time.direction,
      isLeftOut: direction === null,
    };
  });
  const usable = read.filter(({ isLeftOut }) => !isLeftOut);
  const result = paramName === null || !canCompare ? null : toTimeCriterion(paramName, usable);
  return read.map((time) => ({
    start: time.start,
    length: time.length,
    criterion: result?.times.includes(time) === true ? result.criterion : null,
  }));
}
