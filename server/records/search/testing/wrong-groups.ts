/** Compares a page of updates with a plain grouping of the rows that the search must find. */
import { foldText, type PlainRow } from '../../../testing/plain-search.ts';
import type { FoundGroups } from '../search-store.ts';
import type { Searched } from './expected-rows.ts';

/** @param expected - All rows of the search, in order. */
export function wrongGroups(
  { list, rows }: Searched,
  found: FoundGroups,
  expected: readonly PlainRow[],
  { offset, size }: { readonly offset: number; readonly size: number },
): readonly unknown[] {
  const toKey = ({ id, values }: PlainRow) => {
    const name = values[list.countedBy ?? ''];
    return typeof name === 'string' ? foldText(name) : id;
  };
  const groups = [...Map.groupBy(expected, toKey)];
  const plain = groups.slice(offset, offset + size).map(([key, members]) => ({
    ids: members.map(({ id }) => id),
    matching: members.length,
    records: rows.filter((row) => toKey(row) === key).length,
  }));
  const firsts = (JSON.parse(`[${found.rows}]`) as { id: number }[]).map(({ id }) => id);
  const wrong = [
    ...(found.total === expected.length ? [] : ['total of groups']),
    ...(found.updates === groups.length ? [] : ['number of groups']),
    ...(firsts.join() === plain.map(({ ids: [first] }) => first).join() ? [] : ['rows of groups']),
    ...(JSON.stringify(found.groups) === JSON.stringify(plain) ? [] : ['groups']),
  ];
  return wrong.length === 0 ? [] : [...wrong, found, plain];
}
