/** Stores the risk of each record, derived from the CVEs that it names, and recomputed when a CVE's figures change. */
import { z } from 'zod';
import { arrayText } from './array-text.ts';
import type { Queryable } from './database.ts';
import { queryRows } from './query-rows.ts';
import { riskRevision } from './searched-relation.ts';

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

const inputSql = 'select id as record_id, cve_folded as cves, vendor_exploited from record';

/**
 * Recomputes the risk of these records inside the caller's transaction, and raises the revision of risk when something has changed.
 * Skips records that are no longer in the index.
 */
export async function refreshRecordRisk(
  tx: Queryable,
  ids: readonly number[],
  figures: RiskFigures = allRiskFigures,
): Promise<RiskRows> {
  if (ids.length === 0) return nothingWritten;
  const input = `${inputSql} where id = any($1::bigint[])`;
  return refresh(tx, refreshSql(input, { ...figures, withoutCves: true }), [arrayText(ids)]);
}

/** Works like `refreshRecordRisk`, for the records of the index with ids above `above` and up to `upTo`. */
export async function refreshRiskInRange(
  tx: Queryable,
  above: number,
  upTo: number,
  figures: RiskFigures = allRiskFigures,
): Promise<RiskRows> {
  const input = `${inputSql} where id > $1 and id <= $2`;
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
export interface RiskInput {
  readonly recordId: number;
  /** Folded CVEs, one per line. */
  readonly cves: string | null;
  readonly vendorExploited: boolean | null;
}

interface RecordRisk {
  readonly recordId: number;
  readonly epss: number | null;
  readonly cvss: number | null;
  readonly exploited: boolean | null;
  /** Null when no CVE is known to be used by ransomware: CISA never rules it out. */
  readonly ransomware: true | null;
}

/** Computes the same as the statements of `refreshSql` do from stored rows. */
function computeRisk(
  { recordId, cves, vendorExploited }: RiskInput,
  figures: ReadonlyMap<string, CveFigures>,
  isKevRead: boolean,
): RecordRisk {
  const names = cves?.split('\n') ?? [];
  const known = names.flatMap((cve) => figures.get(cve) ?? []);
  const isExploited = vendorExploited === true || known.some(({ exploited }) => exploited);
  const isRuledOut = names.length > 0 && isKevRead;
  return {
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
 * @param former Records whose risk is deleted.
 */
export async function writeRisk(
  tx: Queryable,
  records: readonly RiskInput[],
  figures: ReadonlyMap<string, CveFigures>,
  former: readonly number[],
): Promise<void> {
  if (former.length > 0)
    for (const table of ['record_epss', 'record_risk'])
      await tx.query(`delete from ${table} where record_id = any($1::bigint[])`, [
        arrayText(former),
      ]);
  if (records.length === 0) return;
  const isKevRead = await readIsKevRead(tx);
  const risks = records.map((record) => computeRisk(record, figures, isKevRead));
  await tx.query(
    `with written as materialized (select * from unnest($1::bigint[], $2::double precision[], $3::double precision[], $4::boolean[], $5::boolean[])
         as written(record_id, epss, cvss, exploited, ransomware)),
       other_scores as materialized (select record_id, written.epss from written left join record_epss using (record_id)
         where written.epss is distinct from record_epss.epss),
       epss_written as (insert into record_epss (record_id, epss) select * from other_scores where epss is not null
         on conflict (record_id) do update set epss = excluded.epss returning 1),
       epss_gone as (delete from record_epss using other_scores where record_epss.record_id = other_scores.record_id
         and other_scores.epss is null returning 1),
       risk_written as (insert into record_risk (record_id, cvss, exploited, ransomware, revision)
         select record_id, written.cvss, written.exploited, written.ransomware, (select revision + 1 from list_revision where list = '${riskRevision}')
         from written left join record_risk using (record_id)
         where (written.cvss, written.exploited, written.ransomware) is distinct from (record_risk.cvss, record_risk.exploited, record_risk.ransomware)
         on conflict (record_id) do update set cvss = excluded.cvss, exploited = excluded.exploited, ransomware = excluded.ransomware, revision = excluded.revision returning 1)
     update list_revision set revision = revision + 1 where list = '${riskRevision}'
       and exists (select from epss_written union all select from epss_gone union all select from risk_written)`,
    [
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
    `records as materialized (${input})`,
    ...(scores ? scoreParts(withoutCves) : []),
    ...(facts ? factParts : []),
  ];
  const count = (isCounted: boolean, ...names: readonly string[]) =>
    isCounted ? names.map((name) => `(select count(*) from ${name})`).join(' + ') : '0::bigint';
  return `with ${parts.join(',\n')}
    select ${count(scores, 'epss_updated', 'epss_added', 'epss_gone')} as record_epss,
      ${count(facts, 'risk_written')} as record_risk`;
}

const cveLines = String.raw`unnest(string_to_array(records.cves, E'\n')) as named(cve)`;

const scoreParts = (withoutCves: boolean): readonly string[] => [
  `scored as materialized (
    select records.record_id, max(epss_score.epss) as epss
    from records cross join lateral ${cveLines} join epss_score on epss_score.cve_folded = named.cve
    group by records.record_id)`,
  `other_scores as materialized (
    select records.record_id, scored.epss, record_epss.epss as was from records
    left join scored using (record_id) left join record_epss using (record_id)
    where scored.epss is distinct from record_epss.epss ${withoutCves ? '' : 'and records.cves is not null'})`,
  `epss_updated as (update record_epss set epss = other_scores.epss from other_scores
    where record_epss.record_id = other_scores.record_id and other_scores.was is not null and other_scores.epss is not null returning 1)`,
  `epss_added as (insert into record_epss (record_id, epss)
    select record_id, epss from other_scores where was is null
    on conflict (record_id) do update set epss = excluded.epss returning 1)`,
  `epss_gone as (delete from record_epss using other_scores
    where record_epss.record_id = other_scores.record_id and other_scores.epss is null returning 1)`,
];

/**
 * `exploited` is false only if the catalogue of known exploited vulnerabilities has been read or came with a bundle; otherwise it is
 * unknown. The vendor's statement counts too. A record whose risk has become unknown retains a row without figures, whose revision shows
 * the change.
 */
const factParts: readonly string[] = [
  `kev_read as materialized (select ${kevRead} as is_read)`,
  `facts as materialized (
    select records.record_id, max(vulnerability.cvss) as cvss,
      case when bool_or(vulnerability.exploited_since is not null) or records.vendor_exploited then true
        when count(named.cve) > 0 and (select is_read from kev_read) then false else records.vendor_exploited end as exploited,
      case when bool_or(vulnerability.ransomware) then true end as ransomware
    from records left join lateral ${cveLines} on true left join vulnerability on vulnerability.cve_folded = named.cve
    group by records.record_id, records.vendor_exploited)`,
  `risk_written as (insert into record_risk (record_id, cvss, exploited, ransomware, revision)
    select record_id, facts.cvss, facts.exploited, facts.ransomware, next.revision from facts cross join next
    left join record_risk using (record_id)
    where (facts.cvss, facts.exploited, facts.ransomware) is distinct from (record_risk.cvss, record_risk.exploited, record_risk.ransomware)
    on conflict (record_id) do update set cvss = excluded.cvss, exploited = excluded.exploited, ransomware = excluded.ransomware, revision = excluded.revision returning 1)`,
];
