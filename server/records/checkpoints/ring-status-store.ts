/** SQL of what is decided about a record for a ring: declined, or passing, which is given as it is now. See docs/decisions/098. */

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
