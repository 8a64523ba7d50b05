/** Reads what one machine misses from the standing judgement. */
import { combinedFinding, type MissingFinding } from '@patch/catalogue/fleet/missing-finding.ts';
import { severities } from '@patch/catalogue/schemas/severities.ts';
import type { AcceptedMissing, MachineMissingRecord } from '@patch/contract/machine-endpoints.ts';
import { z } from 'zod';
import {
  readShownRecords,
  type ShownRecord,
  toRecordKey,
} from '../machines/machine-records-store.ts';
import { arrayText } from '../platform/database/array-text.ts';
import type { Queryable } from '../platform/database/database.ts';
import { openWord, ownJson } from '../platform/database/plain-rows.ts';
import { queryRows } from '../platform/database/query-rows.ts';
import { clientOfMachine } from './machine-number.ts';
import { concernsMachine } from './missing-exception-store.ts';
import { decodeNumbers } from './number-set.ts';
import { Bytes } from './waiting-set-store.ts';

export interface MachineMissing {
  /** The parts of its inventory. */
  readonly parts: readonly number[];
  readonly records: readonly MachineMissingRecord[];
  readonly judgedOn: number | null;
  readonly notJudged: boolean;
}

const StandingRow = z.object({
  parts: Bytes,
  judged_on: z.number().nullable(),
  not_judged: z.boolean(),
});

const FindingRow = z.object({
  list: z.string(),
  record_id: z.number(),
  state: openWord<MissingFinding['state']>(),
  reason: openWord<NonNullable<MissingFinding['reason']>>().nullable(),
  evidence: ownJson<MissingFinding['evidence']>(),
});

/**
 * Returns null for a machine that does not exist.
 * @param now The time at which exceptions must be valid.
 */
export async function readMachineMissing(
  database: Queryable,
  id: number,
  now: number,
): Promise<MachineMissing | null> {
  const clientId = clientOfMachine(id);
  const [machine] = await queryRows(
    database,
    StandingRow,
    `select parts, judged_on, not_judged from machine join machine_standing using (client_id, id)
     where client_id = $1 and id = $2`,
    [clientId, id],
  );
  if (machine === undefined) return null;
  const parts = decodeNumbers(machine.parts);
  const rows = await queryRows(
    database,
    FindingRow,
    `select list, record_id, state, reason, evidence from part_missing
     join missing_record on missing_record.id = missing_id where part_id = any($1::int[]) order by part_id, missing_id`,
    [arrayText(parts)],
  );
  const byRecord = Map.groupBy(rows, ({ list, record_id }) => toRecordKey(list, record_id));
  const shown = await readShownRecords(
    database,
    [...byRecord.values()].flatMap(([one]) =>
      one === undefined ? [] : [{ list: one.list, recordId: one.record_id }],
    ),
  );
  const accepted = await readAccepted(database, clientId, id, now);
  const records = [...byRecord].flatMap(([key, findings]) => {
    const [record, finding] = [shown.get(key), combinedFinding(findings)];
    return record === undefined || finding === null
      ? []
      : [missingRecord(record, finding, accepted.get(key) ?? null)];
  });
  return {
    parts,
    records: records.toSorted(mostUrgentFirst),
    judgedOn: machine.judged_on,
    notJudged: machine.not_judged,
  };
}

function missingRecord(
  record: ShownRecord,
  { state, reason, evidence }: MissingFinding,
  accepted: AcceptedMissing | null,
): MachineMissingRecord {
  return {
    ...record,
    state,
    reason,
    evidence: evidence.map(({ name, installed, fixed }) => ({ name, installed, fixed })),
    accepted,
  };
}

function mostUrgentFirst(a: MachineMissingRecord, b: MachineMissingRecord): number {
  return (
    Number(a.accepted !== null) - Number(b.accepted !== null) ||
    Number(b.state === 'missing') - Number(a.state === 'missing') ||
    Number(b.exploited === true) - Number(a.exploited === true) ||
    severityRank(b.severity) - severityRank(a.severity) ||
    (b.epss ?? -1) - (a.epss ?? -1) ||
    (b.releaseDate ?? 0) - (a.releaseDate ?? 0) ||
    a.recordId - b.recordId
  );
}

const severityRank = (severity: string | null) =>
  (severities as readonly (string | null)[]).indexOf(severity);

const AcceptedRow = z.object({
  id: z.number(),
  machine_id: z.number().nullable(),
  list: z.string(),
  record_id: z.number(),
  until: z.number(),
  reason: z.string(),
  created_by: z.string(),
});

async function readAccepted(
  database: Queryable,
  clientId: number,
  machineId: number,
  now: number,
): Promise<ReadonlyMap<string, AcceptedMissing>> {
  const rows = await queryRows(
    database,
    AcceptedRow,
    `select id, machine_id, list, record_id, until, reason, created_by from missing_exception as exception
     where client_id = $1 and (machine_id = $2 or machine_id is null) and until > $3 and ${concernsMachine} order by machine_id nulls first`,
    [clientId, machineId, now],
  );
  return new Map(
    rows.map((row) => [
      toRecordKey(row.list, row.record_id),
      {
        exceptionId: row.id,
        until: row.until,
        reason: row.reason,
        by: row.created_by,
        forClient: row.machine_id === null,
      },
    ]),
  );
}
