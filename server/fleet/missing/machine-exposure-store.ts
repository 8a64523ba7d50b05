/** Counts all machines by what is known of them about a record, a CVE, a KB or an advisory: each in one number. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import { getField } from '@patch/catalogue/definition/list-definition.ts';
import { machineList } from '@patch/catalogue/fleet/machine-list.ts';
import type { MachineExposure } from '@patch/contract/machine-endpoints.ts';
import { z } from 'zod';
import type { Queryable } from '../../platform/database/database.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { findMissedRecords } from './missed-record-store.ts';
import { type MissingMarks, readMachinesOfMissing } from './missing-marks-store.ts';

/** Counts the machines that the criteria `misses`, `mayMiss` and `accepts` find for the name, and the others. */
export async function readExposure(
  database: Queryable,
  name: string,
  now: number,
): Promise<MachineExposure> {
  const missingIds = await findMissedRecords(database, {
    kind: 'compared',
    comparison: '=',
    value: fold(name),
    name: 'misses',
    definition: getField(machineList, 'misses'),
  });
  return countExposure(database, await readMachinesOfMissing(database, missingIds, now));
}

const OthersRow = z.object({
  machines: z.number(),
  notJudged: z.array(z.number()),
  beingJudged: z.array(z.number()),
});

/** Few machines are not judged, so their numbers are read; all others are counted. */
const othersSql = `select count(*) as machines,
    coalesce(array_agg(id) filter (where not_judged and judged_on is not null), '{}') as "notJudged",
    coalesce(array_agg(id) filter (where judged_on is null), '{}') as "beingJudged"
  from machine_standing`;

export async function countExposure(
  database: Queryable,
  marks: MissingMarks,
): Promise<MachineExposure> {
  const counts = marks.count();
  const [all] = await queryRows(database, OthersRow, othersSql);
  if (all === undefined) throw new Error('A count has one row');
  const marked = counts.missing + counts.uncertain + counts.accepted;
  const isOther = (id: number) => !marks.has(id);
  const notJudged = all.notJudged.filter(isOther).length;
  const beingJudged = all.beingJudged.filter(isOther).length;
  return {
    // A machine may be removed between the two statements.
    machines: Math.max(all.machines, marked),
    ...counts,
    notMissing: Math.max(0, all.machines - marked - notJudged - beingJudged),
    notJudged,
    beingJudged,
  };
}
