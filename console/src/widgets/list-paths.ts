/** Paths of the console's pages. */
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
/** Opens the current month. */
export const monthsPath = `${homePath}/month`;
export const groupsPath = `${homePath}/groups`;
export const reportPath = `${homePath}/report`;
export const ringsPath = `${homePath}/rings`;
export const exceptionsPath = `${homePath}/exceptions`;
export const assignmentsPath = `${homePath}/assignments`;
export const plansPath = `${homePath}/plans`;
export const planPath = (id: number): string => `${plansPath}/${id}`;
export const checkMachinePath = `${homePath}/check-machine`;

/** @param month - `2026-06` */
export const monthPath = (month: string): string => `${monthsPath}/${month}`;

export function listPath(list: Pick<ListDefinition, 'route'>): string {
  return list.route === '' ? homePath : `${homePath}/${list.route}`;
}

export function recordPath(list: Pick<ListDefinition, 'route'>, id: number): string {
  return `${listPath(list)}/record/${id}`;
}

/** Path of the page with all records that mention a CVE, KB or bulletin. */
export function identifierPath(identifier: string): string {
  return `${homePath}/identifier/${encodeURIComponent(identifier)}`;
}

/** Search of the sync screen that opens a source's past runs: `<Link to={syncPath} search={runSearch('debian', 12)}>`. */
export function runSearch(
  source: SourceKey,
  run?: number,
): { readonly source: SourceKey; readonly run?: number } {
  return run === undefined ? { source } : { source, run };
}
