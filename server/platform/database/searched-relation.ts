/** What a list is read from, with the risk of its records joined. */
import { fieldOf, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';

/**
 * Stands in a `from` in place of the list's table, under its name or another. The joins are by a primary key: where a statement
 * uses none of their columns, PostgreSQL leaves them out.
 */
export function searchedRelation(list: ListDefinition, name: string = list.key): string {
  const { key } = list;
  if (!hasRisk(list) || list.viewOf !== undefined) return name === key ? key : `${key} as ${name}`;
  return `(select kept.*, record_epss.epss as risk_epss, record_risk.cvss as risk_cvss, record_risk.exploited as risk_exploited
    from ${key} as kept left join record_risk on record_risk.list = '${key}' and record_risk.record_id = kept.id
    left join record_epss on record_epss.list = '${key}' and record_epss.record_id = kept.id) as ${name}`;
}

/** Whether the list shows the risk of its records. */
export const hasRisk = (list: ListDefinition): boolean =>
  Object.keys(list.fields).some((name) => isRiskField(list, name));

/** Whether the field's values change without the list's revision. */
export const isRiskField = (list: ListDefinition, name: string): boolean =>
  fieldOf(list, name).risk !== undefined || fieldOf(list, name).joined === true;

/** The name under which the revision of what the risk sources say is kept, among the lists' revisions. */
export const riskRevision = 'risk';
