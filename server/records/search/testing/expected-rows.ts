/** The lists of random searches, and the rows that each search must find according to a plain evaluation. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import {
  type PlainField,
  type PlainFields,
  type PlainRanking,
  type PlainRow,
  plainSearch,
} from '../../../testing/plain-search.ts';
import type { RandomSearch } from '../../../testing/random-search.ts';

export interface Searched {
  readonly list: ListDefinition;
  readonly fields: PlainFields;
  readonly rows: readonly PlainRow[];
}

/** How the matches of a keyword are ranked in the lists of random searches. */
const rankings: Readonly<Record<string, Pick<PlainRanking, 'identifiers' | 'title'>>> = {
  all_patches: { identifiers: ['identifier'], title: 'title' },
  vulnerabilities: { identifiers: ['cve'], title: 'title' },
  almalinux_patch: { identifiers: ['bulletinId'], title: 'title' },
  debian_patch: { identifiers: ['bulletinId', 'pkgAndVersion'], title: 'title' },
  thirdparty_patch: { identifiers: ['uuid'], title: 'name' },
};

function getRanking({ key }: ListDefinition): PlainRanking {
  const ranking = rankings[key];
  if (ranking === undefined) throw new Error(`No ranking of ${key}`);
  const isProduct = ({ values }: PlainRow) =>
    values['list'] === 'thirdparty_patch' || values['list'] === 'macos_patch';
  return { ...ranking, isProduct };
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
    getRanking(list),
  );
}
