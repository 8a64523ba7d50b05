/** SQL of the version of a record at a revision, and of its status in a ring: declined, or passing. See docs/decisions/093 and 098. */

/**
 * Returns SQL that joins `status`, with `is_declined` and `passes`, and `risk`.
 * @param record - The name of a relation with `id` and `withdrawn_time`.
 * @param ring - A parameter: `$1`.
 */
export const ringStatusSql = (record: string, ring: string): string =>
  `left join ring_record as decided on decided.ring_id = ${ring} and decided.record_id = ${record}.id
   left join record_risk as risk on risk.record_id = ${record}.id
   left join ring on ring.id = ${ring}
   cross join lateral (select coalesce(decided.decision = 'declined', false) as is_declined,
     coalesce(decided.decision = 'approved' or (decided.decision is null and ring.passes_exploited and risk.exploited
       and ${record}.withdrawn_time is null), false) as passes) as status`;

/**
 * Returns SQL that joins the version of a record that was kept at a revision; no row where the present version is that of the revision.
 * @param kept - The name of the joined relation.
 * @param record - The name of a relation with `id`.
 * @param list - SQL of the key of its list, with the collation "C".
 * @param revision - SQL of the revision.
 */
export const keptVersionSql = (
  kept: string,
  record: string,
  list: string,
  revision: string,
): string => `left join kept_record as ${kept} on ${kept}.list = ${list} and ${kept}.record_id = ${record}.id
  and ${kept}.from_revision <= ${revision} and ${kept}.until_revision > ${revision}`;
