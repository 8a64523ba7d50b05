/** Stores the standing judgement: what each part misses. Every change marks the parts for the counts of machines. */
import type { PartKind } from '@patch/catalogue/fleet/inventory-part.ts';
import type { FixEvidence } from '@patch/catalogue/machines/judgement/machine-fixes.ts';
import { z } from 'zod';
import { arrayText, arrayTexts } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { jsonText } from '../../platform/database/json-text.ts';
import { openWord, ownJson } from '../../platform/database/plain-rows.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import type { StoredPart } from '../parts/inventory-part-store.ts';
import type { PartFinding } from './part-judgement.ts';

/** Replaces everything that these parts miss, after they were judged from nothing. */
export async function replaceFindingsOfParts(
  tx: Queryable,
  parts: readonly StoredPart[],
  findings: readonly PartFinding[],
): Promise<void> {
  const ids = arrayText(parts.map(({ id }) => id));
  const where = 'part_missing.part_id = any($1::int[])';
  const changed = await replaceFindings(tx, where, [ids], findings);
  // A machine with a new part is counted anyway, after the part is judged.
  const before = new Set(parts.filter(({ judgedBefore }) => judgedBefore).map(({ id }) => id));
  await markPartsToCount(
    tx,
    changed.filter((partId) => before.has(partId)),
  );
  await tx.query(
    'update inventory_part set judged = true, judged_before = true where id = any($1::int[])',
    [ids],
  );
}

/** Replaces what parts of packages miss of these records. */
export async function replaceFindingsOfRecords(
  tx: Queryable,
  list: string,
  recordIds: readonly number[],
  findings: readonly PartFinding[],
): Promise<void> {
  const changed = await replaceFindings(
    tx,
    'missing_record.list = $1 and missing_record.record_id = any($2::bigint[])',
    [list, arrayText(recordIds)],
    findings,
  );
  await markPartsToCount(tx, changed);
}

const StoredRow = z.object({
  partId: z.number(),
  missingId: z.number(),
  list: z.string(),
  recordId: z.number(),
  state: z.string(),
  evidence: z.string(),
});
type StoredRow = z.infer<typeof StoredRow>;

/** Writes only changed rows. Returns the parts whose machines may miss something else now. */
async function replaceFindings(
  tx: Queryable,
  where: string,
  values: readonly unknown[],
  findings: readonly PartFinding[],
): Promise<readonly number[]> {
  const stored = await queryRows(
    tx,
    StoredRow,
    `select part_id as "partId", missing_id as "missingId", list, record_id as "recordId", state, evidence::text from part_missing
     join missing_record on missing_record.id = missing_id where ${where}`,
    values,
  );
  const findingKey = ({
    partId,
    list,
    recordId,
  }: Pick<StoredRow, 'partId' | 'list' | 'recordId'>) => `${partId} ${list} ${recordId}`;
  const before = new Map(stored.map((row) => [findingKey(row), row]));
  const wanted = new Map(findings.map((finding) => [findingKey(finding), finding]));
  const removed = stored.filter((row) => !wanted.has(findingKey(row)));
  const written = [...wanted].filter(([key, finding]) => {
    const row = before.get(key);
    return (
      row === undefined ||
      row.state !== finding.state ||
      !isSameJson(row.evidence, evidenceText(finding))
    );
  });
  await deleteRows(tx, removed);
  await writeRows(
    tx,
    written.map(([, finding]) => finding),
  );
  const counted = written.filter(([key, { state }]) => before.get(key)?.state !== state);
  return [...removed, ...counted.map(([, finding]) => finding)].map(({ partId }) => partId);
}

/** Compares independently of the order of keys, which jsonb does not preserve. */
const isSameJson = (a: string, b: string) => a === b || canonical(a) === canonical(b);
const canonical = (text: string) =>
  JSON.stringify(
    (JSON.parse(text) as Readonly<Record<string, unknown>>[]).map((one) =>
      Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : 1)),
    ),
  );

/** Stores what proves the finding, and what a plan needs of it. */
const evidenceText = ({ evidence }: PartFinding) =>
  jsonText(
    evidence.map(({ name, architecture, installed, fixed, source, install }) => ({
      name,
      ...(architecture !== null && { architecture }),
      installed,
      fixed,
      ...(source !== undefined && { source }),
      ...(isOther(install, { name, version: fixed }) && { install }),
    })),
  );

/** Most fixes are installed by their own name and version, which need not be stored twice. */
const isOther = (install: FixEvidence['install'], usual: NonNullable<FixEvidence['install']>) =>
  install !== null && (install.name !== usual.name || install.version !== usual.version);

type StoredEvidence = Partial<FixEvidence> & Pick<FixEvidence, 'name' | 'installed' | 'fixed'>;

const EvidenceRow = z.object({
  partId: z.number(),
  missingId: z.number(),
  list: z.string(),
  recordId: z.number(),
  kind: openWord<PartKind>(),
  scope: z.string(),
  evidence: ownJson<readonly StoredEvidence[]>(),
});

/** A record that a part certainly misses. */
export interface PartEvidence extends z.infer<typeof EvidenceRow> {
  readonly evidence: readonly FixEvidence[];
}

export async function readEvidenceOfParts(
  database: Queryable,
  parts: readonly number[],
): Promise<readonly PartEvidence[]> {
  const rows = await queryRows(
    database,
    EvidenceRow,
    `select part_id as "partId", missing_id as "missingId", list, record_id as "recordId", kind, scope, evidence from part_missing
     join missing_record on missing_record.id = missing_id join inventory_part on inventory_part.id = part_id
     where part_id = any($1::int[]) and state = 'missing' order by part_id, missing_id`,
    [arrayText(parts)],
  );
  return rows.map(({ evidence, ...row }) => ({
    ...row,
    evidence: evidence.map((one) => ({
      architecture: null,
      install: row.kind === 'packages' ? { name: one.name, version: one.fixed } : null,
      ...one,
    })),
  }));
}

const MissingRow = z.object({ part_id: z.number(), missing: ownJson<readonly number[]>() });

/**
 * Returns the ids of the records that each part certainly misses, without parts that miss none.
 * @param parts Null for all.
 */
export async function readMissingOfParts(
  database: Queryable,
  parts: readonly number[] | null = null,
): Promise<ReadonlyMap<number, readonly number[]>> {
  const rows = await queryRows(
    database,
    MissingRow,
    `select part_id, json_agg(missing_id) as missing from part_missing
     where state = 'missing'${parts === null ? '' : ' and part_id in (select unnest($1::int[]))'} group by part_id`,
    parts === null ? [] : [arrayText(parts)],
  );
  return new Map(rows.map((row) => [row.part_id, row.missing]));
}

const StandingRow = z.object({
  partId: z.number(),
  missing: ownJson<readonly number[]>().nullable(),
  uncertain: ownJson<readonly number[]>().nullable(),
});

/** Returns the ids of the records that these parts miss, without parts that miss none: certainly; perhaps, or for subscribers only. */
export const readStandingOfParts = (database: Queryable, parts: readonly number[]) =>
  queryRows(
    database,
    StandingRow,
    `select part_id as "partId", json_agg(missing_id) filter (where state = 'missing') as missing,
       json_agg(missing_id) filter (where state <> 'missing') as uncertain
     from part_missing where part_id in (select unnest($1::int[])) group by part_id`,
    [arrayText(parts)],
  );

async function deleteRows(tx: Queryable, rows: readonly StoredRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(
    'delete from part_missing where (part_id, missing_id) in (select * from unnest($1::int[], $2::int[]))',
    arrayTexts(rows, 'partId', 'missingId'),
  );
}

async function writeRows(tx: Queryable, findings: readonly PartFinding[]): Promise<void> {
  if (findings.length === 0) return;
  const records = arrayTexts(findings, 'list', 'recordId');
  await tx.query(
    `insert into missing_record (list, record_id, severity, exploited)
     select given.list, given.record_id, record.severity, coalesce(record_risk.exploited, false)
     from (select distinct * from unnest($1::text[], $2::bigint[]) as pair(list, record_id)) as given
     left join record on record.list = given.list and record.record_id = given.record_id
     left join record_risk on record_risk.record_id = given.record_id
     on conflict (list, record_id) do nothing`,
    records,
  );
  await tx.query(
    `insert into part_missing (part_id, missing_id, state, evidence)
     select given.part_id, missing_record.id, given.state, given.evidence::jsonb
     from unnest($1::text[], $2::bigint[], $3::int[], $4::text[], $5::text[]) as given(list, record_id, part_id, state, evidence)
     join missing_record on missing_record.list = given.list and missing_record.record_id = given.record_id
     on conflict (part_id, missing_id) do update set state = excluded.state, evidence = excluded.evidence`,
    [
      ...records,
      ...arrayTexts(findings, 'partId', 'state'),
      arrayText(findings.map((finding) => evidenceText(finding))),
    ],
  );
}

export async function markPartsToCount(tx: Queryable, parts: readonly number[]): Promise<void> {
  if (parts.length === 0) return;
  await tx.query(
    `insert into part_to_count as current (part_id) select distinct part_id from unnest($1::int[]) as changed(part_id) order by part_id
     on conflict (part_id) do update set times = current.times + 1`,
    [arrayText(parts)],
  );
}
