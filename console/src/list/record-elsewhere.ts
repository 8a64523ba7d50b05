/** Target of rows in lists that combine other lists: the record in its own list, or the page of the CVE. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { catalogueLists } from '@patch/catalogue/lists.ts';
import type { WireRow } from '@patch/contract/row-schema.ts';
import { identifierPath, recordPath } from '../widgets/list-paths.ts';

/** Returns null for rows that are records themselves. */
export function findRecordElsewhere({ key }: ListDefinition, row: WireRow): string | null {
  if (key === 'vulnerabilities')
    return typeof row['cve'] === 'string' ? identifierPath(row['cve']) : null;
  if (key !== 'all_patches') return null;
  const list = catalogueLists.find((candidate) => candidate.key === row['list']);
  const id = row['recordId'];
  return list === undefined || typeof id !== 'number' ? null : recordPath(list, id);
}
