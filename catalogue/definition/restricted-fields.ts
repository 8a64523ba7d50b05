/** Fields that only some callers may read: which they are, and a list as everybody else sees it. */
import { fieldOf, type ListDefinition } from './list-definition.ts';

/** Stands for every value of a restricted field, present or not: it tells nothing about the value. */
export const restrictedMask = '•••';

export function isRestricted(list: ListDefinition, name: string): boolean {
  return Object.hasOwn(list.fields, name) && fieldOf(list, name).restricted === true;
}

export function isSealed(list: ListDefinition, name: string): boolean {
  return Object.hasOwn(list.fields, name) && fieldOf(list, name).sealed === true;
}

/** The restricted facts of a record's detail. */
export function restrictedFacts(list: ListDefinition): readonly string[] {
  return Object.entries(list.detail.facts).flatMap(([name, { restricted }]) =>
    restricted === true ? [name] : [],
  );
}

/** Whether a caller who is shown the list so may sort by the field: a restricted one only where it may be asked as well. */
export function isSortable(list: ListDefinition, name: string): boolean {
  return (
    name === 'id' ||
    (Object.hasOwn(list.fields, name) &&
      (!isRestricted(list, name) || list.searchable.includes(name)))
  );
}

/** The list for a caller who may not read its restricted fields: they stay columns, but no criteria. */
export function withoutRestricted<L extends ListDefinition>(list: L): L {
  return { ...list, searchable: list.searchable.filter((name) => !isRestricted(list, name)) };
}
