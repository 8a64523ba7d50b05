/** Fields that only some callers may read, and a list as all other callers see it. */
import { getField, type ListDefinition } from './list-definition.ts';

/** Replaces every value of a restricted field, present or not, so that it reveals nothing. */
export const restrictedMask = '•••';

export function isRestricted(list: ListDefinition, name: string): boolean {
  return Object.hasOwn(list.fields, name) && getField(list, name).restricted === true;
}

export function isSealed(list: ListDefinition, name: string): boolean {
  return Object.hasOwn(list.fields, name) && getField(list, name).sealed === true;
}

/** The restricted facts of a record's detail. */
export function restrictedFacts(list: ListDefinition): readonly string[] {
  return Object.entries(list.detail.facts).flatMap(([name, { restricted }]) =>
    restricted === true ? [name] : [],
  );
}

/**
 * Returns whether a caller may sort this version of the list by the field: by a sealed field never, by a restricted one only when it is
 * searchable for them.
 */
export function isSortable(list: ListDefinition, name: string): boolean {
  return (
    name === 'id' ||
    (Object.hasOwn(list.fields, name) &&
      !isSealed(list, name) &&
      (!isRestricted(list, name) || list.searchable.includes(name)))
  );
}

/** Returns the list for a caller who may not read its restricted fields: they stay columns, but not criteria. */
export function withoutRestricted<L extends ListDefinition>(list: L): L {
  return { ...list, searchable: list.searchable.filter((name) => !isRestricted(list, name)) };
}
