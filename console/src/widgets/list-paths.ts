/** Where a list, a record, an identifier and the sync screen stand in the address bar. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { SourceKey } from '@patch/catalogue/sources.ts';

export const homePath = '/patch-repository';
export const dashboardPath = `${homePath}/dashboard`;
export const emailPath = `${homePath}/email-configuration`;
export const usersPath = `${homePath}/users`;
export const accountPath = `${homePath}/account`;
export const ssoPath = `${homePath}/sso-configuration`;
export const downloadsPath = `${homePath}/downloads`;
export const syncPath = `${homePath}/sync`;
export const auditPath = `${homePath}/audit`;
export const checkMachinePath = `${homePath}/check-machine`;

export function listPath(list: Pick<ListDefinition, 'route'>): string {
  return list.route === '' ? homePath : `${homePath}/${list.route}`;
}

export function recordPath(list: Pick<ListDefinition, 'route'>, id: number): string {
  return `${listPath(list)}/record/${id}`;
}

/** All records that mention a CVE, a KB, a bulletin. */
export function identifierPath(identifier: string): string {
  return `${homePath}/identifier/${encodeURIComponent(identifier)}`;
}

/** The sync screen with a source's past runs open: `<Link to={syncPath} search={runSearch('debian', 12)}>`. */
export function runSearch(
  source: SourceKey,
  run?: number,
): { readonly source: SourceKey; readonly run?: number } {
  return run === undefined ? { source } : { source, run };
}
