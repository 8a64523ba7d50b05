/** Counts all machines by what is known of them about a record, a CVE, a KB or an advisory: each in one number. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import { getField } from '@patch/catalogue/definition/list-definition.ts';
import { machineList } from '@patch/catalogue/fleet/machine-list.ts';
import type { MachineExposure } from '@patch/contract/machine-endpoints.ts';
import { z } from 'zod';
import type { Queryable } from '../../platform/database/database.ts';
import { queryRows, queryValues } from '../../platform/database/query-rows.ts';
import { findMissedRecords } from './missed-record-store.ts';
import { type MissingMarks, readMachinesOfMissing } from './missing-marks-store.ts';

/**
 * Counts the machines that the criteria `misses`, `mayMiss` and `accepts` find for the name, and the others.
 * @param within The machines to count; null for all.
 */
export async function readExposure(
  database: Queryable,
  name: string,
  now: number,
  within: ReadonlySet<number> | null = null,
): Promise<MachineExposure> {
  const missingIds = await findMissedRecords(database, {
    kind: 'compared',
    comparison: '=',
    value: fold(name),
    name: 'misses',
    definition: getField(machineList, 'misses'),
  });
  return countExposure(database, await readMachinesOfMissing(database, missingIds, now), within);
}

const UnjudgedRow = z.object({ id: z.number(), beingJudged: z.boolean() });

/** Few machines are not judged, so their numbers are read; all others are counted. */
const unjudgedSql = `select id, judged_on is null as "beingJudged" from machine_standing where not_judged or judged_on is null`;

export async function countExposure(
  database: Queryable,
  marks: MissingMarks,
  within: ReadonlySet<number> | null = null,
): Promise<MachineExposure> {
  const [[all = 0], waiting] = await Promise.all([
    within === null
      ? queryValues(database, z.number(), 'select count(*) from machine_standing')
      : [within.size],
    queryRows(database, UnjudgedRow, unjudgedSql),
  ]);
  const unjudged = waiting.filter(({ id }) => !marks.has(id) && within?.has(id) !== false);
  const beingJudged = unjudged.filter((machine) => machine.beingJudged).length;
  const notJudged = unjudged.length - beingJudged;
  const counts = marks.count(within);
  const marked = counts.missing + counts.uncertain + counts.accepted;
  return {
    // A machine may be removed between two of the statements.
    machines: Math.max(all, marked),
    ...counts,
    notMissing: Math.max(0, all - marked - notJudged - beingJudged),
    notJudged,
    beingJudged,
  };
}
