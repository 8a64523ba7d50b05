/** Example in the placeholder of the search bar. */
import { getField, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { WireRow } from '@patch/contract/base/row-schema.ts';
import { findExampleChoices } from './example-values.ts';

/** Returns the highest choice of the rows, else the last 90 days of a date; undefined without either field. */
export function buildValueExample(
  list: ListDefinition,
  rows: readonly WireRow[],
): string | undefined {
  const wireName = (name: string) => list.filterName[name] ?? name;
  const choice = list.searchable.find((name) => {
    const { choices = [], stated } = getField(list, name);
    return choices.length > 0 && stated === undefined;
  });
  if (choice !== undefined)
    return `${wireName(choice)}:${findExampleChoices(list, rows, choice)[0] ?? ''}`;
  const date = list.searchable.find((name) => getField(list, name).kind === 'date');
  return date === undefined ? undefined : `${wireName(date)}:<90d`;
}
