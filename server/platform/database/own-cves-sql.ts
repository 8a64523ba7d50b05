/** SQL for the CVEs of a single record, where the index of records has those of its update. */

/** CVEs of a row of `record`, folded, one in each line: the representative of an update also has those of the other records. */
export const ownCveLinesSql =
  'case when risk_scope is null then cve_folded else own_cve_folded end';

/** As an array. */
export const ownCvesSql = String.raw`string_to_array(${ownCveLinesSql}, E'\n')`;
