/** Concludes the due dates of the missing records of one machine. */
import { concludeDueDate, type PolicyOfGroup } from '@patch/catalogue/fleet/due-date.ts';
import type { MissingRecord } from '@patch/contract/assessment-endpoint.ts';
import type { DueDate } from '@patch/contract/machine-endpoints.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { readDatedRecords } from './due-record-store.ts';
import { OverdueRecords } from './overdue-records.ts';

type MissingOnMachine = Pick<MissingRecord, 'recordId' | 'state'>;

export interface DueDatesOfMachine {
  /** Returns null for a record that is not certainly missing. An accepted record is not overdue. */
  readonly toDueDate: (record: MissingOnMachine, isAccepted: boolean) => DueDate | null;
  readonly overdueCount: number;
}

/**
 * @param shown The records whose due dates are asked for.
 * @param certain Ids of all records that are certainly missing and not accepted: of these, overdue ones are counted.
 */
export async function readDueDates(
  database: Queryable,
  { shown, certain }: { shown: readonly MissingOnMachine[]; certain: readonly number[] },
  policies: readonly PolicyOfGroup[],
  now: number,
): Promise<DueDatesOfMachine> {
  const all = new Set([
    ...certain,
    ...shown.flatMap(({ recordId, state }) => (state === 'missing' ? [recordId] : [])),
  ]);
  const dated = await readDatedRecords(database, [...all]);
  const overdue = new OverdueRecords(dated, now).under(policies);
  return {
    overdueCount: certain.filter((id) => overdue.has(id)).length,
    toDueDate({ recordId, state }, isAccepted) {
      const record = dated.get(recordId);
      if (state !== 'missing' || record === undefined) return null;
      const due = concludeDueDate(record, policies, now);
      return isAccepted ? { ...due, overdueDays: 0 } : due;
    },
  };
}
