/** Concludes the due dates of the missing records of one machine. */
import { concludeDueDate, type PolicyOfGroup } from '@patch/catalogue/fleet/due-date.ts';
import type { MissingRecord } from '@patch/contract/assessment-endpoint.ts';
import type { DueDate } from '@patch/contract/machine-endpoints.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { readDatedRecords } from './due-record-store.ts';

type MissingOnMachine = Pick<MissingRecord, 'recordId' | 'state'>;

/** Returns a function that returns null for a record that is not certainly missing. An accepted record is not overdue. */
export async function readDueDates(
  database: Queryable,
  records: readonly MissingOnMachine[],
  policies: readonly PolicyOfGroup[],
  now: number,
): Promise<(record: MissingOnMachine, isAccepted: boolean) => DueDate | null> {
  const certain = records.filter(({ state }) => state === 'missing');
  const dated = await readDatedRecords(
    database,
    certain.map(({ recordId }) => recordId),
  );
  return ({ recordId, state }, isAccepted) => {
    const record = dated.get(recordId);
    if (state !== 'missing' || record === undefined) return null;
    const due = concludeDueDate(record, policies, now);
    return isAccepted ? { ...due, overdueDays: 0 } : due;
  };
}
