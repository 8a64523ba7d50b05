/** Reads an order: one field with a leading minus for descending, or the name of a list's order of several fields. */
import { getField, type ListDefinition } from './list-definition.ts';

/** Returns an order as fields joined by commas. */
export const expandSort = (list: ListDefinition, sort: string): string =>
  Object.hasOwn(list.compoundSorts, sort) ? (list.compoundSorts[sort]?.fields ?? sort) : sort;

/** Returns the names of an order's fields, which may be unknown to the list. */
export const listSortFields = (list: ListDefinition, sort: string): readonly string[] =>
  expandSort(list, sort)
    .split(',')
    .map((key) => key.trim().replace(/^-/, ''));

/** Returns the label of an order's field, or of a named order. */
export const getSortLabel = (list: ListDefinition, sort: string): string =>
  Object.hasOwn(list.compoundSorts, sort)
    ? (list.compoundSorts[sort]?.label ?? sort)
    : getField(list, sort.replace(/^-/, '')).label;
