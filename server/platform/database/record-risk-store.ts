/** What the risk sources say of each record, by the CVEs that it names: derived, and computed again when a CVE's figures change. */
import { z } from 'zod';
import { arrayText } from './array-text.ts';
import type { Queryable } from './database.ts';
import { queryRows } from './query-rows.ts';
import { riskRevision } from './searched-relation.ts';

export interface RecordPlace {
  readonly list: string;
  readonly recordId: number;
}

const ChangedRow = z.object({ changed: z.number() });

/**
 * Computes the risk of these records again, inside the caller's transaction, and raises the revision of risk when something has
 * changed. Records that are no longer in the index are passed over. Answers how many values were written.
 */
export async function refreshRecordRisk(
  tx: Queryable,
  places: readonly RecordPlace[],
): Promise<number> {
  if (places.length === 0) return 0;
  const asked = `select distinct list, record_id from unnest($1::text[], $2::bigint[]) as asked(list, record_id)`;
  await lockRisk(tx);
  const rows = await queryRows(tx, ChangedRow, refreshSql(asked), [
    arrayText(places.map(({ list }) => list)),
    arrayText(places.map(({ recordId }) => recordId)),
  ]);
  return raiseWhenChanged(tx, rows[0]?.changed ?? 0);
}

/** As `refreshRecordRisk`, of the records of the index whose number lies in the range: above the first, up to the second. */
export async function refreshRiskOfRange(
  tx: Queryable,
  above: number,
  upTo: number,
): Promise<number> {
  const asked = 'select list, record_id from record where id > $1 and id <= $2';
  await lockRisk(tx);
  const rows = await queryRows(tx, ChangedRow, refreshSql(asked), [above, upTo]);
  return raiseWhenChanged(tx, rows[0]?.changed ?? 0);
}

/** Writers follow one another, so that what is written carries the revision at which it is committed. */
export async function lockRisk(tx: Queryable): Promise<void> {
  await tx.query('select 1 from list_revision where list = $1 for update', [riskRevision]);
}

async function raiseWhenChanged(tx: Queryable, changed: number): Promise<number> {
  if (changed > 0)
    await tx.query('update list_revision set revision = revision + 1 where list = $1', [
      riskRevision,
    ]);
  return changed;
}

/**
 * `exploited` is false only where the catalogue of known exploited vulnerabilities has been read, or came with a bundle: what was never
 * looked up is unknown. What the vendor says counts beside it. A record whose risk is no longer known keeps a row without figures,
 * which says when that changed. Only rows that change are written: an insert that meets an equal row locks it all the same.
 */
function refreshSql(asked: string): string {
  return `with asked as materialized (${asked}),
    next as materialized (select revision + 1 as revision from list_revision where list = '${riskRevision}'),
    kev_read as materialized (select exists(select from feed_part where source = 'kev') or exists(select from bundle_applied where source = 'kev') as is_read),
    figures as materialized (
      select record.list, record.record_id, record.known_exploited, max(vulnerability.cvss) as cvss, max(epss_score.epss) as epss,
        case when bool_or(vulnerability.exploited_since is not null) or record.vendor_exploited then true
          when count(named.cve) > 0 and (select is_read from kev_read) then false else record.vendor_exploited end as exploited
      from asked join record on record.list = asked.list and record.record_id = asked.record_id
      left join lateral unnest(string_to_array(record.cve_folded, E'\\n')) as named(cve) on true
      left join vulnerability on vulnerability.cve_folded = named.cve
      left join epss_score on epss_score.cve_folded = named.cve
      group by record.id),
    changes as materialized (
      select figures.*, (figures.epss is distinct from record_epss.epss) as other_epss,
        ((figures.cvss, figures.exploited) is distinct from (record_risk.cvss, record_risk.exploited)) as other_risk
      from figures
      left join record_epss on record_epss.list = figures.list and record_epss.record_id = figures.record_id
      left join record_risk on record_risk.list = figures.list and record_risk.record_id = figures.record_id),
    epss_written as (insert into record_epss (list, record_id, epss)
      select list, record_id, epss from changes where other_epss and epss is not null
      on conflict (list, record_id) do update set epss = excluded.epss returning 1),
    epss_gone as (delete from record_epss using changes where record_epss.list = changes.list and record_epss.record_id = changes.record_id
      and changes.other_epss and changes.epss is null returning 1),
    risk_written as (insert into record_risk (list, record_id, cvss, exploited, revision)
      select list, record_id, cvss, exploited, next.revision from changes, next where other_risk
      on conflict (list, record_id) do update set cvss = excluded.cvss, exploited = excluded.exploited, revision = excluded.revision returning 1),
    marked as (update record set known_exploited = coalesce(figures.exploited, false) from figures
      where record.list = figures.list and record.record_id = figures.record_id
        and figures.known_exploited <> coalesce(figures.exploited, false) returning 1)
  select (select count(*) from epss_written) + (select count(*) from epss_gone) + (select count(*) from risk_written)
    + (select count(*) from marked) as changed`;
}
