/** Where a list, a record and the sync screen stand in the address bar. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { SourceKey } from '@patch/catalogue/definition/sources.ts';

export const homePath = '/patch-repository';
export const syncPath = `${homePath}/sync`;

export function listPath(list: Pick<ListDefinition, 'route'>): string {
  return list.route === '' ? homePath : `${homePath}/${list.route}`;
}

export function recordPath(list: Pick<ListDefinition, 'route'>, id: number): string {
  return `${listPath(list)}/record/${id}`;
}

/** The sync screen with a source's past runs open: `<Link to={syncPath} search={runSearch('debian', 12)}>`. */
export function runSearch(source: SourceKey, run?: number): { readonly source: SourceKey; readonly run?: number } {
  return run === undefined ? { source } : { source, run };
}
