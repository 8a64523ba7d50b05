/** Builds the relation from which a list is read, with the risk of its records. */
import { getField, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';

/**
 * Returns SQL that replaces the list's table in a `from`, under its name or another. PostgreSQL omits the joins, which are by primary
 * key, from statements that do not use their columns.
 */
export function searchedRelation(list: ListDefinition, name: string = list.key): string {
  const { key } = list;
  if (!hasRisk(list) || list.viewOf !== undefined) return name === key ? key : `${key} as ${name}`;
  return `(select stored.*, record_epss.epss as risk_epss, record_risk.cvss as risk_cvss, record_risk.exploited as risk_exploited
    from ${key} as stored ${riskJoins('stored')}) as ${name}`;
}

/** Returns SQL that joins the risk of records, under the name of their table. */
export const riskJoins = (record: string): string =>
  `left join record_risk on record_risk.record_id = ${record}.id left join record_epss on record_epss.record_id = ${record}.id`;

const nameLines = String.raw`string_to_array(names, E'\n')`;
const nameHashes = `hash_names(${nameLines})`;

/**
 * Returns SQL that is true for rows of a vendor's list whose folded column has one of the values. The index of names finds them: lists have no
 * indexes of their own.
 * @param values A parameter: `$1`.
 */
export const hasNameSql = (list: ListDefinition, column: string, values: string): string =>
  `${column} = any(${values}::text[])${list.source === null ? '' : ` and ${nameHashes} && hash_names(${values}::text[])`}`;

/** Returns SQL that is true for records with this name, which an index finds by its hash. */
export const isNamedSql = (name: string): string =>
  `${nameHashes} && hash_names(array[${name}]) and array[${name}] <@ ${nameLines}`;

/** Returns true if the list shows the risk of its records. */
export const hasRisk = (list: ListDefinition): boolean =>
  Object.keys(list.fields).some((name) => isRiskField(list, name));

/** Returns true if the field's values change without the list's revision. */
export const isRiskField = (list: ListDefinition, name: string): boolean =>
  getField(list, name).risk !== undefined || getField(list, name).joined === true;

/** The key of the revision of risk among the revisions of lists. */
export const riskRevision = 'risk';
