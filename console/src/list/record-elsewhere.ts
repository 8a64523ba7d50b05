/** Where the rows of a list over other lists lead: to the record in its own list, or to everything about the CVE. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { catalogueLists } from '@patch/catalogue/lists.ts';
import type { WireRow } from '@patch/contract/row-schema.ts';
import { identifierPath, recordPath } from '../widgets/list-paths.ts';

/** The address of the page that the row stands for; null where the row's own record does. */
export function recordElsewhere({ key }: ListDefinition, row: WireRow): string | null {
  if (key === 'vulnerabilities')
    return typeof row['cve'] === 'string' ? identifierPath(row['cve']) : null;
  if (key !== 'all_patches') return null;
  const list = catalogueLists.find((one) => one.key === row['list']);
  const id = row['recordId'];
  return list === undefined || typeof id !== 'number' ? null : recordPath(list, id);
}
