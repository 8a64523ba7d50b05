/** Finds the records that machines miss, as the lists of machines count them: by the parts of each machine. */
import { missingStates } from '@patch/catalogue/fleet/missing-finding.ts';
import { z } from 'zod';
import { arrayText } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { readActiveExceptions } from '../judgement/missing-exception-store.ts';
import { clientOfMachine } from '../machines/machine-number.ts';
import { keysOfMachines, machinesOfIds } from '../machines/machines-of-ids-store.ts';
import { NumberSet } from '../parts/number-set.ts';
import { toMark } from './missing-marks-store.ts';

/** Machines that are read and evaluated at once. */
const machinesAtOnce = 100;

const PartsRow = z.object({ id: z.number(), parts: NumberSet });
const MissingRow = z.object({ part_id: z.number(), missing_id: z.number(), state: z.string() });

/** With the id in the list of all patches. */
const IndexedRow = z.object({
  id: z.number(),
  severity: z.string().nullable(),
  exploited: z.boolean(),
});

export type RatedRecord = Pick<z.infer<typeof IndexedRow>, 'severity' | 'exploited'>;

interface WantedRecords {
  readonly isWanted: (mark: number) => boolean;
  readonly isRated?: ((record: RatedRecord) => boolean) | undefined;
  readonly now: number;
}

type MissingOfPart = readonly { readonly missingId: number; readonly state: number }[];

/**
 * Returns the ids, in the list of all patches, of the records that one of the machines misses in a wanted way.
 * @param isWanted Tests a mark, as missing-marks-store.ts defines it.
 * @param isRated Tests severity and exploitation of the record for its own product.
 * @param now The time at which exceptions must be valid.
 */
export async function findRecordsOfMachines(
  database: Queryable,
  machineIds: readonly number[],
  { isWanted, isRated = () => true, now }: WantedRecords,
): Promise<readonly number[]> {
  const exceptions = await readActiveExceptions(database, now);
  const missingOfParts = new Map<number, MissingOfPart>();
  const found = new Set<number>();
  for (let from = 0; from < machineIds.length; from += machinesAtOnce) {
    const ids = machineIds.slice(from, from + machinesAtOnce);
    const machines = await readParts(database, ids);
    const unknown = machines.flatMap(({ parts }) => parts).filter((id) => !missingOfParts.has(id));
    await addMissingOfParts(database, missingOfParts, [...new Set(unknown)]);
    for (const { id, parts } of machines) {
      const states = new Map<number, number>();
      for (const part of parts)
        for (const { missingId, state } of missingOfParts.get(part) ?? [])
          states.set(missingId, Math.max(states.get(missingId) ?? 0, state));
      const clientId = clientOfMachine(id);
      for (const [missingId, state] of states) {
        if (isWanted(toMark(state, exceptions.covers(clientId, id, missingId))))
          found.add(missingId);
      }
    }
  }
  const records = await readIndexedRecords(database, [...found]);
  return records.filter(isRated).map(({ id }) => id);
}

const readParts = (database: Queryable, ids: readonly number[]) =>
  queryRows(database, PartsRow, `select id, parts from ${machinesOfIds}`, keysOfMachines(ids));

async function addMissingOfParts(
  database: Queryable,
  missingOfParts: Map<number, MissingOfPart>,
  parts: readonly number[],
): Promise<void> {
  const rows = await queryRows(
    database,
    MissingRow,
    'select part_id, missing_id, state from part_missing where part_id = any($1::int[])',
    [arrayText(parts)],
  );
  const own = Map.groupBy(rows, ({ part_id }) => part_id);
  for (const part of parts)
    missingOfParts.set(
      part,
      (own.get(part) ?? []).map(({ missing_id, state }) => ({
        missingId: missing_id,
        state: (missingStates as readonly string[]).indexOf(state),
      })),
    );
}

const readIndexedRecords = (database: Queryable, missingIds: readonly number[]) =>
  queryRows(
    database,
    IndexedRow,
    `select record.id, missing_record.severity, missing_record.exploited from missing_record join record using (list, record_id)
     where missing_record.id = any($1::int[])`,
    [arrayText(missingIds)],
  );
