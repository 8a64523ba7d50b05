/** Target of rows in lists that combine other lists: the record in its own list, or the page of the CVE. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { catalogueLists } from '@patch/catalogue/lists.ts';
import type { WireRow } from '@patch/contract/base/row-schema.ts';
import { identifierPath, recordPath } from '../../widgets/list-paths.ts';

/** Returns null for rows that are records themselves. */
export function findRecordElsewhere(list: ListDefinition, row: WireRow): string | null {
  if (list.key === 'vulnerabilities')
    return typeof row['cve'] === 'string' ? identifierPath(row['cve']) : null;
  const own = findOwnRecord(list, row);
  return own === null ? null : recordPath(own.list, own.id);
}

/** A record in its own list. */
export interface OwnRecord {
  readonly list: ListDefinition;
  readonly id: number;
}

/** Returns null for rows that are records themselves, and for those of unknown lists. */
export function findOwnRecord({ key }: ListDefinition, row: WireRow): OwnRecord | null {
  if (key !== 'all_patches') return null;
  const list = catalogueLists.find((candidate) => candidate.key === row['list']);
  const id = row['recordId'];
  return list === undefined || typeof id !== 'number' ? null : { list, id };
}
