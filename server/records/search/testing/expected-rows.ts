/** The lists of random searches, and the rows that each search must find according to a plain evaluation. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import {
  type PlainField,
  type PlainFields,
  type PlainRow,
  plainSearch,
} from '../../../testing/plain-search.ts';
import type { RandomSearch } from '../../../testing/random-search.ts';

export interface Searched {
  readonly list: ListDefinition;
  readonly fields: PlainFields;
  readonly rows: readonly PlainRow[];
}

export function getDefinition(fields: PlainFields, field: string): PlainField {
  const definition = fields[field];
  if (definition === undefined) throw new Error(`No field ${field}`);
  return definition;
}

/** Returns the rows of a search in order. @param without a field whose conditions are ignored */
export function expectedRows(
  { list, fields, rows }: Searched,
  search: RandomSearch,
  without: string | null = null,
): readonly PlainRow[] {
  const listed = Object.hasOwn(fields, 'folded')
    ? rows.filter(({ values }) => search.includeFolded || values['folded'] === false)
    : rows;
  const ownOrder = {
    field: list.defaultSort.replace(/^-/, ''),
    descending: list.defaultSort.startsWith('-'),
  };
  return plainSearch(
    listed,
    {
      conditions: search.conditions.filter(({ field }) => field !== without),
      terms: search.terms,
      name: search.name,
      sort: search.sort.length === 0 ? [ownOrder] : search.sort,
    },
    fields,
    list.identity,
  );
}
