/** Stores the risk of each record, derived from the CVEs that it names, and computed again when a CVE's figures change. */
import { z } from 'zod';
import { arrayText, arrayTexts } from '../array-text.ts';
import type { Queryable } from '../database.ts';
import { queryRows, queryValues } from '../query-rows.ts';
import { riskRevision } from '../searched-relation.ts';

const RiskRows = z.object({ record_epss: z.number(), record_risk: z.number() });
/** Numbers of written rows by table. */
export type RiskRows = Readonly<z.infer<typeof RiskRows>>;

export const nothingWritten: RiskRows = { record_epss: 0, record_risk: 0 };

export const addRows = (a: RiskRows, b: RiskRows): RiskRows => ({
  record_epss: a.record_epss + b.record_epss,
  record_risk: a.record_risk + b.record_risk,
});

const RiskInput = z.object({
  recordId: z.number(),
  /** Folded CVEs, one per line. */
  cves: z.string().nullable(),
  vendorExploited: z.boolean().nullable(),
});
/** The input for the risk of a record. */
export type RiskInput = z.infer<typeof RiskInput>;

const readInput = (tx: Queryable, where: string, values: readonly unknown[]) =>
  queryRows(
    tx,
    RiskInput,
    `select id as "recordId", cve_folded as cves, vendor_exploited as "vendorExploited" from record where ${where}`,
    values,
  );

/** Reads the input of these records. Skips records that are no longer in the index. */
export const readRiskInput = (tx: Queryable, ids: readonly number[]) =>
  readInput(tx, 'id = any($1::bigint[])', [arrayText(ids)]);

/** Reads the input of the next records of the index with ids above `above`. */
export const readNextRiskInput = (tx: Queryable, above: number, count: number) =>
  readInput(tx, 'id > $1 order by id limit $2', [above, count]);

/** Computes the risk of these records again, inside the caller's transaction. */
export async function refreshRisk(tx: Queryable, records: readonly RiskInput[]): Promise<RiskRows> {
  if (records.length === 0) return nothingWritten;
  const cves = new Set(records.flatMap((record) => record.cves?.split('\n') ?? []));
  return writeRisk(tx, records, await readFigures(tx, [...cves]));
}

/** Makes writers run one after another, so that rows have the revision at which they are committed. */
export async function lockRisk(tx: Queryable): Promise<void> {
  await tx.query('select 1 from list_revision where list = $1 for update', [riskRevision]);
}

/** A CVE's figures of the risk sources. */
const CveFigures = z.object({
  cvss: z.number().nullable(),
  /** The rank of the severity that follows from the score; null without one. */
  severityRank: z.number().nullable(),
  exploited: z.boolean(),
  ransomware: z.boolean(),
  epss: z.number().nullable(),
});
export type CveFigures = z.infer<typeof CveFigures>;

/** Returns the figures of those CVEs (folded) that have a row. */
export async function readFigures(
  tx: Queryable,
  cves: readonly string[],
): Promise<Map<string, CveFigures>> {
  if (cves.length === 0) return new Map();
  const rows = await queryRows(
    tx,
    CveFigures.extend({ cve: z.string() }),
    `select cve_folded as cve, cvss, severity_rank as "severityRank", exploited_since is not null as exploited, coalesce(ransomware, false) as ransomware, epss
     from vulnerability left join epss_score using (cve_folded) where cve_folded = any($1::text[])`,
    [arrayText(cves)],
  );
  return new Map(rows.map(({ cve, ...figures }) => [cve, figures]));
}

/**
 * `exploited` is false only if the catalogue of known exploited vulnerabilities has been read or came with a bundle; otherwise it is
 * unknown. The vendor's statement counts too.
 */
function computeRisk(
  { recordId, cves, vendorExploited }: RiskInput,
  figures: ReadonlyMap<string, CveFigures>,
  isKevRead: boolean,
) {
  const names = cves?.split('\n') ?? [];
  const known = names.flatMap((cve) => figures.get(cve) ?? []);
  const isExploited = vendorExploited === true || known.some(({ exploited }) => exploited);
  const isRuledOut = names.length > 0 && isKevRead;
  return {
    recordId,
    epss: highest(known.map(({ epss }) => epss)),
    cvss: highest(known.map(({ cvss }) => cvss)),
    severityRank: highest(known.map(({ severityRank }) => severityRank)),
    exploited: isExploited || (isRuledOut ? false : vendorExploited),
    // Null when no CVE is known to be used by ransomware: CISA never rules it out.
    ransomware: known.some(({ ransomware }) => ransomware) || null,
  };
}

function highest(values: readonly (number | null)[]): number | null {
  return values.reduce(
    (most, value) => (value !== null && (most === null || value > most) ? value : most),
    null,
  );
}

/** Returns true if the catalogue of known exploited vulnerabilities has been read or came with a bundle. */
async function readIsKevRead(tx: Queryable): Promise<boolean> {
  const [isRead = false] = await queryValues(
    tx,
    z.boolean(),
    `select exists(select from feed_part where source = 'kev') or exists(select from bundle_applied where source = 'kev')`,
  );
  return isRead;
}

/** Deletes the risk of records. Requires the lock on the risk. */
export async function removeRisk(tx: Queryable, recordIds: readonly number[]): Promise<void> {
  if (recordIds.length === 0) return;
  for (const table of ['record_epss', 'record_risk'])
    await tx.query(`delete from ${table} where record_id = any($1::bigint[])`, [
      arrayText(recordIds),
    ]);
}

/**
 * Writes the risk of records, and raises its revision when something has changed. Writes changed rows only, since an insert that conflicts
 * with an equal row would lock it. A record whose risk has become unknown retains a row without figures, whose revision shows the change.
 * Requires the lock on the risk.
 */
export async function writeRisk(
  tx: Queryable,
  records: readonly RiskInput[],
  figures: ReadonlyMap<string, CveFigures>,
): Promise<RiskRows> {
  if (records.length === 0) return nothingWritten;
  const isKevRead = await readIsKevRead(tx);
  const risks = records.map((record) => computeRisk(record, figures, isKevRead));
  const [rows = nothingWritten] = await queryRows(
    tx,
    RiskRows,
    `with written as materialized (select * from unnest($1::bigint[], $2::double precision[], $3::double precision[], $4::smallint[], $5::boolean[], $6::boolean[])
         as written(record_id, epss, cvss, severity_rank, exploited, ransomware)),
       other_scores as materialized (select record_id, written.epss from written left join record_epss using (record_id)
         where written.epss is distinct from record_epss.epss),
       epss_written as (insert into record_epss (record_id, epss) select * from other_scores where epss is not null
         on conflict (record_id) do update set epss = excluded.epss returning 1),
       epss_gone as (delete from record_epss using other_scores where record_epss.record_id = other_scores.record_id
         and other_scores.epss is null returning 1),
       risk_written as (insert into record_risk (record_id, cvss, severity_rank, exploited, ransomware, revision)
         select record_id, written.cvss, written.severity_rank, written.exploited, written.ransomware, (select revision + 1 from list_revision where list = '${riskRevision}')
         from written left join record_risk using (record_id)
         where (written.cvss, written.severity_rank, written.exploited, written.ransomware)
           is distinct from (record_risk.cvss, record_risk.severity_rank, record_risk.exploited, record_risk.ransomware)
         on conflict (record_id) do update set cvss = excluded.cvss, severity_rank = excluded.severity_rank, exploited = excluded.exploited, ransomware = excluded.ransomware, revision = excluded.revision returning 1),
       counted as (select (select count(*) from epss_written) + (select count(*) from epss_gone) as record_epss,
         (select count(*) from risk_written) as record_risk),
       raised as (update list_revision set revision = revision + 1 from counted where list = '${riskRevision}' and record_epss + record_risk > 0)
     select record_epss, record_risk from counted`,
    arrayTexts(risks, 'recordId', 'epss', 'cvss', 'severityRank', 'exploited', 'ransomware'),
  );
  return rows;
}
