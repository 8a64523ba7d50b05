/** A list that random searches ask, and the rows that each must find by a plain evaluation. */
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

export function definitionOf(fields: PlainFields, field: string): PlainField {
  const definition = fields[field];
  if (definition === undefined) throw new Error(`No field ${field}`);
  return definition;
}

/** In their order; `without`: the conditions on this field do not count. */
export function expectedRows(
  { list, fields, rows }: Searched,
  asked: RandomSearch,
  without: string | null = null,
): readonly PlainRow[] {
  const listed = Object.hasOwn(fields, 'folded')
    ? rows.filter(({ values }) => asked.includeFolded || values['folded'] === false)
    : rows;
  const ownOrder = {
    field: list.defaultSort.replace(/^-/, ''),
    descending: list.defaultSort.startsWith('-'),
  };
  return plainSearch(
    listed,
    {
      conditions: asked.conditions.filter(({ field }) => field !== without),
      terms: asked.terms,
      name: asked.name,
      sort: asked.sort.length === 0 ? [ownOrder] : asked.sort,
    },
    fields,
    list.identity,
  );
}
