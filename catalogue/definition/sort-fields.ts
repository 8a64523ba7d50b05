/** Reads an order: keys joined by commas, or the name of a list's order of several keys. */
import { type CompoundSort, getField, type ListDefinition } from './list-definition.ts';

interface WrittenSortKey {
  /** The name as written, which may be unknown to the list. */
  readonly name: string;
  readonly descending: boolean;
  /** Rows of which this flag is not true count as rows without a value. */
  readonly onlyIf?: string;
}

/** Returns the list's order of this name, or with these keys. */
export const findCompoundSort = (list: ListDefinition, sort: string): CompoundSort | undefined =>
  Object.hasOwn(list.compoundSorts, sort)
    ? list.compoundSorts[sort]
    : Object.values(list.compoundSorts).find(({ fields }) => fields === sort);

/** Returns an order as keys joined by commas. */
const expandSort = (list: ListDefinition, sort: string): string =>
  findCompoundSort(list, sort)?.fields ?? sort;

/** Reads keys such as `releaseDate`, `-releaseDate` for descending, and `-releaseDate if exploited`. */
export const readSortKeys = (list: ListDefinition, sort: string): readonly WrittenSortKey[] =>
  expandSort(list, sort)
    .split(',')
    .map((key) => {
      const [field = '', onlyIf] = key.trim().split(' if ');
      return {
        name: field.replace(/^-/, ''),
        descending: field.startsWith('-'),
        ...(onlyIf !== undefined && { onlyIf }),
      };
    });

/** Returns the names of an order's fields, which may be unknown to the list. */
export const listSortFields = (list: ListDefinition, sort: string): readonly string[] =>
  readSortKeys(list, sort).flatMap(({ name, onlyIf }) =>
    onlyIf === undefined ? [name] : [name, onlyIf],
  );

/** Returns the label of an order's field, or of a named order. */
export const getSortLabel = (list: ListDefinition, sort: string): string =>
  Object.hasOwn(list.compoundSorts, sort)
    ? (list.compoundSorts[sort]?.label ?? sort)
    : getField(list, sort.replace(/^-/, '')).label;
