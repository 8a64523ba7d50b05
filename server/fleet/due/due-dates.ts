/** Concludes the due dates of the missing records of one machine. */
import { concludeDueDate, type PolicyOfGroup } from '@patch/catalogue/fleet/due-date.ts';
import type { MissingRecord } from '@patch/contract/fleet/assessment-endpoint.ts';
import type { DueDate } from '@patch/contract/fleet/machine-endpoints.ts';
import type { InventoryPage } from '../../machines/assess-machine.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { readKnownExploitation } from './due-record-store.ts';
import { OverdueRecords } from './overdue-records.ts';

type MissingOnMachine = Pick<MissingRecord, 'recordId' | 'state'>;
type CertainRecord = InventoryPage['certain'][number];

export interface DueDatesOfMachine {
  /** Returns null for a record that is not certainly missing. An accepted record is not overdue. */
  readonly toDueDate: (record: MissingOnMachine, isAccepted: boolean) => DueDate | null;
  readonly overdueCount: number;
}

/**
 * @param shown The records whose due dates are asked for.
 * @param certain All records that are certainly missing and not accepted: of these, overdue ones are counted.
 */
export async function readDueDates(
  database: Queryable,
  {
    shown,
    certain,
  }: {
    readonly shown: readonly (MissingOnMachine & CertainRecord)[];
    readonly certain: readonly CertainRecord[];
  },
  policies: readonly PolicyOfGroup[],
  now: number,
): Promise<DueDatesOfMachine> {
  const asked = [...certain, ...shown.filter(({ state }) => state === 'missing')];
  const exploited = asked.flatMap((record) => (record.exploited === true ? record.recordId : []));
  const known = await readKnownExploitation(database, [...new Set(exploited)]);
  const dated = new Map(
    asked.map(({ recordId, ...facts }) => [
      recordId,
      { ...facts, known: known.get(recordId) ?? [] },
    ]),
  );
  const overdue = new OverdueRecords(dated, now).under(policies);
  return {
    overdueCount: certain.filter(({ recordId }) => overdue.has(recordId)).length,
    toDueDate({ recordId, state }, isAccepted) {
      const record = dated.get(recordId);
      if (state !== 'missing' || record === undefined) return null;
      const due = concludeDueDate(record, policies, now);
      return isAccepted ? { ...due, overdueDays: 0 } : due;
    },
  };
}
