/** One example for the search bar, made of the list's own fields. */
import { fieldOf, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';

/** A short example that finds something: a known value of a choice, else the last days of a date; undefined without either. */
export function valueExample(list: ListDefinition): string | undefined {
  const wireName = (name: string) => list.filterName[name] ?? name;
  const choice = list.searchable.find((name) => (fieldOf(list, name).choices ?? []).length > 0);
  if (choice !== undefined)
    return `${wireName(choice)}:${String(fieldOf(list, choice).choices?.at(-1))}`;
  const date = list.searchable.find((name) => fieldOf(list, name).kind === 'date');
  return date === undefined ? undefined : `${wireName(date)}:<90d`;
}
