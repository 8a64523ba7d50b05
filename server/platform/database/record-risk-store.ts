/** Stores the risk of each record, derived from the CVEs that it names, and recomputed when a CVE's figures change. */
import { z } from 'zod';
import { arrayText } from './array-text.ts';
import type { Queryable } from './database.ts';
import { queryRows } from './query-rows.ts';
import { riskRevision } from './searched-relation.ts';

export interface RecordReference {
  readonly list: string;
  readonly recordId: number;
}

/** The figures to recompute: the highest EPSS score, or CVSS score and exploitation. */
export interface RiskFigures {
  readonly scores: boolean;
  readonly facts: boolean;
}

export const allRiskFigures: RiskFigures = { scores: true, facts: true };

/** Numbers of written rows by table. */
export interface RiskRows {
  readonly record_epss: number;
  readonly record_risk: number;
}

const WrittenRows = z.object({
  record_epss: z.number(),
  record_risk: z.number(),
});

const nothingWritten: RiskRows = { record_epss: 0, record_risk: 0 };

export const addRows = (a: RiskRows, b: RiskRows): RiskRows => ({
  record_epss: a.record_epss + b.record_epss,
  record_risk: a.record_risk + b.record_risk,
});

const indexColumns =
  'record.list, record.record_id, record.cve_folded as cves, record.vendor_exploited';

/**
 * Recomputes the risk of these records inside the caller's transaction, and raises the revision of risk when something has changed.
 * Skips records that are no longer in the index.
 */
export async function refreshRecordRisk(
  tx: Queryable,
  records: readonly RecordReference[],
  figures: RiskFigures = allRiskFigures,
): Promise<RiskRows> {
  if (records.length === 0) return nothingWritten;
  const input = `select ${indexColumns} from (select distinct list, record_id from unnest($1::text[], $2::bigint[]) as given(list, record_id)) as given
    join record on record.list = given.list and record.record_id = given.record_id`;
  return refresh(tx, refreshSql(input, { ...figures, withoutCves: true }), [
    arrayText(records.map(({ list }) => list)),
    arrayText(records.map(({ recordId }) => recordId)),
  ]);
}

/** Works like `refreshRecordRisk`, for the records of the index with ids above `above` and up to `upTo`. */
export async function refreshRiskInRange(
  tx: Queryable,
  above: number,
  upTo: number,
  figures: RiskFigures = allRiskFigures,
): Promise<RiskRows> {
  const input = `select ${indexColumns} from record where id > $1 and id <= $2`;
  return refresh(tx, refreshSql(input, { ...figures, withoutCves: false }), [above, upTo]);
}

async function refresh(tx: Queryable, sql: string, values: readonly unknown[]): Promise<RiskRows> {
  await lockRisk(tx);
  const [written = nothingWritten] = await queryRows(tx, WrittenRows, sql, values);
  if (written.record_epss + written.record_risk > 0)
    await tx.query('update list_revision set revision = revision + 1 where list = $1', [
      riskRevision,
    ]);
  return written;
}

/** Makes writers run one after another, so that rows have the revision at which they are committed. */
export async function lockRisk(tx: Queryable): Promise<void> {
  await tx.query('select 1 from list_revision where list = $1 for update', [riskRevision]);
}

/** A CVE's figures of the risk sources. */
export interface CveFigures {
  readonly cvss: number | null;
  readonly exploited: boolean;
  readonly ransomware: boolean;
  readonly epss: number | null;
}

/** The input for the risk of a record. */
export interface RiskScope extends RecordReference {
  /** Folded CVEs, one per line. */
  readonly cves: string | null;
  readonly vendorExploited: boolean | null;
}

interface RecordRisk extends RecordReference {
  readonly epss: number | null;
  readonly cvss: number | null;
  readonly exploited: boolean | null;
  /** Null when no CVE is known to be used by ransomware: CISA never rules it out. */
  readonly ransomware: true | null;
}

/** Computes the same as the statements of `refreshSql` do from stored rows. */
function computeRisk(
  { list, recordId, cves, vendorExploited }: RiskScope,
  figures: ReadonlyMap<string, CveFigures>,
  isKevRead: boolean,
): RecordRisk {
  const names = cves?.split('\n') ?? [];
  const known = names.flatMap((cve) => figures.get(cve) ?? []);
  const isExploited = vendorExploited === true || known.some(({ exploited }) => exploited);
  const isRuledOut = names.length > 0 && isKevRead;
  return {
    list,
    recordId,
    epss: highest(known.map(({ epss }) => epss)),
    cvss: highest(known.map(({ cvss }) => cvss)),
    exploited: isExploited || (isRuledOut ? false : vendorExploited),
    ransomware: known.some(({ ransomware }) => ransomware) || null,
  };
}

function highest(values: readonly (number | null)[]): number | null {
  return values.reduce(
    (most, value) => (value !== null && (most === null || value > most) ? value : most),
    null,
  );
}

const kevRead = `exists(select from feed_part where source = 'kev') or exists(select from bundle_applied where source = 'kev')`;

/** Returns true if the catalogue of known exploited vulnerabilities has been read or came with a bundle. */
async function readIsKevRead(tx: Queryable): Promise<boolean> {
  const [row] = await queryRows(
    tx,
    z.object({ isRead: z.boolean() }),
    `select ${kevRead} as "isRead"`,
  );
  return row?.isRead ?? false;
}

/**
 * Writes the risk of changed records, and raises its revision when something has changed. Requires the lock on the risk.
 * @param former - Records whose risk is deleted.
 */
export async function writeRisk(
  tx: Queryable,
  scopes: readonly RiskScope[],
  figures: ReadonlyMap<string, CveFigures>,
  former: readonly RecordReference[],
): Promise<void> {
  if (former.length > 0)
    for (const table of ['record_epss', 'record_risk'])
      await tx.query(
        `delete from ${table} using unnest($1::text[], $2::bigint[]) as former(list, record_id)
         where ${table}.list = former.list and ${table}.record_id = former.record_id`,
        [
          arrayText(former.map(({ list }) => list)),
          arrayText(former.map(({ recordId }) => recordId)),
        ],
      );
  if (scopes.length === 0) return;
  const isKevRead = await readIsKevRead(tx);
  const risks = scopes.map((scope) => computeRisk(scope, figures, isKevRead));
  await tx.query(
    `with written as materialized (select * from unnest($1::text[], $2::bigint[], $3::double precision[], $4::double precision[], $5::boolean[], $6::boolean[])
         as written(list, record_id, epss, cvss, exploited, ransomware)),
       other_scores as materialized (select list, record_id, written.epss from written left join record_epss using (list, record_id)
         where written.epss is distinct from record_epss.epss),
       epss_written as (insert into record_epss (list, record_id, epss) select * from other_scores where epss is not null
         on conflict (list, record_id) do update set epss = excluded.epss returning 1),
       epss_gone as (delete from record_epss using other_scores where record_epss.list = other_scores.list
         and record_epss.record_id = other_scores.record_id and other_scores.epss is null returning 1),
       risk_written as (insert into record_risk (list, record_id, cvss, exploited, ransomware, revision)
         select list, record_id, written.cvss, written.exploited, written.ransomware, (select revision + 1 from list_revision where list = '${riskRevision}')
         from written left join record_risk using (list, record_id)
         where (written.cvss, written.exploited, written.ransomware) is distinct from (record_risk.cvss, record_risk.exploited, record_risk.ransomware)
         on conflict (list, record_id) do update set cvss = excluded.cvss, exploited = excluded.exploited, ransomware = excluded.ransomware, revision = excluded.revision returning 1)
     update list_revision set revision = revision + 1 where list = '${riskRevision}'
       and exists (select from epss_written union all select from epss_gone union all select from risk_written)`,
    [
      arrayText(risks.map(({ list }) => list)),
      arrayText(risks.map(({ recordId }) => recordId)),
      arrayText(risks.map(({ epss }) => epss)),
      arrayText(risks.map(({ cvss }) => cvss)),
      arrayText(risks.map(({ exploited }) => exploited)),
      arrayText(risks.map(({ ransomware }) => ransomware)),
    ],
  );
}

interface RefreshOptions extends RiskFigures {
  /** Includes records without a CVE, whose risk changes only with the record. */
  readonly withoutCves: boolean;
}

/** Writes changed rows only, since an insert that conflicts with an equal row would lock it. */
function refreshSql(input: string, { scores, facts, withoutCves }: RefreshOptions): string {
  const parts = [
    `next as materialized (select revision + 1 as revision from list_revision where list = '${riskRevision}')`,
    `scopes as materialized (${input})`,
    ...(scores ? scoreParts(withoutCves) : []),
    ...(facts ? factParts : []),
  ];
  const count = (isCounted: boolean, ...names: readonly string[]) =>
    isCounted ? names.map((name) => `(select count(*) from ${name})`).join(' + ') : '0::bigint';
  return `with ${parts.join(',\n')}
    select ${count(scores, 'epss_updated', 'epss_added', 'epss_gone')} as record_epss,
      ${count(facts, 'risk_written')} as record_risk`;
}

const scopeCves = String.raw`unnest(string_to_array(scopes.cves, E'\n')) as scope_cve(cve)`;

const scoreParts = (withoutCves: boolean): readonly string[] => [
  `scored as materialized (
    select scopes.list, scopes.record_id, max(epss_score.epss) as epss
    from scopes cross join lateral ${scopeCves} join epss_score on epss_score.cve_folded = scope_cve.cve
    group by scopes.list, scopes.record_id)`,
  `other_scores as materialized (
    select scopes.list, scopes.record_id, scored.epss, record_epss.epss as was from scopes
    left join scored on scored.list = scopes.list and scored.record_id = scopes.record_id
    left join record_epss on record_epss.list = scopes.list and record_epss.record_id = scopes.record_id
    where scored.epss is distinct from record_epss.epss ${withoutCves ? '' : 'and scopes.cves is not null'})`,
  `epss_updated as (update record_epss set epss = other_scores.epss from other_scores
    where record_epss.list = other_scores.list and record_epss.record_id = other_scores.record_id
      and other_scores.was is not null and other_scores.epss is not null returning 1)`,
  `epss_added as (insert into record_epss (list, record_id, epss)
    select list, record_id, epss from other_scores where was is null
    on conflict (list, record_id) do update set epss = excluded.epss returning 1)`,
  `epss_gone as (delete from record_epss using other_scores
    where record_epss.list = other_scores.list and record_epss.record_id = other_scores.record_id
      and other_scores.epss is null returning 1)`,
];

/**
 * `exploited` is false only if the catalogue of known exploited vulnerabilities has been read or came with a bundle; otherwise it is
 * unknown. The vendor's statement counts too. A record whose risk has become unknown retains a row without figures, whose revision shows
 * the change.
 */
const factParts: readonly string[] = [
  `kev_read as materialized (select ${kevRead} as is_read)`,
  `facts as materialized (
    select scopes.list, scopes.record_id, max(vulnerability.cvss) as cvss,
      case when bool_or(vulnerability.exploited_since is not null) or scopes.vendor_exploited then true
        when count(scope_cve.cve) > 0 and (select is_read from kev_read) then false else scopes.vendor_exploited end as exploited,
      case when bool_or(vulnerability.ransomware) then true end as ransomware
    from scopes left join lateral ${scopeCves} on true left join vulnerability on vulnerability.cve_folded = scope_cve.cve
    group by scopes.list, scopes.record_id, scopes.vendor_exploited)`,
  `risk_written as (insert into record_risk (list, record_id, cvss, exploited, ransomware, revision)
    select facts.list, facts.record_id, facts.cvss, facts.exploited, facts.ransomware, next.revision from facts cross join next
    left join record_risk on record_risk.list = facts.list and record_risk.record_id = facts.record_id
    where (facts.cvss, facts.exploited, facts.ransomware) is distinct from (record_risk.cvss, record_risk.exploited, record_risk.ransomware)
    on conflict (list, record_id) do update set cvss = excluded.cvss, exploited = excluded.exploited, ransomware = excluded.ransomware, revision = excluded.revision returning 1)`,
];
