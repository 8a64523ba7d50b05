/** One example for the search bar, made of the list's own fields and rows. */
import { fieldOf, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { WireRow } from '@patch/contract/row-schema.ts';
import { exampleChoices } from './example-values.ts';

/** A short example that finds something: the highest choice that the rows have, else the last days of a date; undefined without either. */
export function valueExample(list: ListDefinition, rows: readonly WireRow[]): string | undefined {
  const wireName = (name: string) => list.filterName[name] ?? name;
  const choice = list.searchable.find((name) => (fieldOf(list, name).choices ?? []).length > 0);
  if (choice !== undefined)
    return `${wireName(choice)}:${exampleChoices(list, rows, choice)[0] ?? ''}`;
  const date = list.searchable.find((name) => fieldOf(list, name).kind === 'date');
  return date === undefined ? undefined : `${wireName(date)}:<90d`;
}
