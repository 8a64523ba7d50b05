/** Counts all machines by what is known of them about a record, a CVE, a KB or an advisory: each in one number. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import type { MachineExposure } from '@patch/contract/fleet/machine-endpoints.ts';
import { z } from 'zod';
import type { Queryable } from '../../platform/database/database.ts';
import { queryRows, queryValues } from '../../platform/database/query-rows.ts';
import {
  type CriterionNames,
  readNames,
} from '../../records/criteria/identifier-criteria-store.ts';
import type { MachinePolicies } from '../due/machine-policies.ts';
import { findMissedNames, isCompared } from './missed-record-store.ts';
import { type MissingMarks, readMachinesOfMissing } from './missing-marks-store.ts';
import { countWithin, findOverdueMachines } from './overdue-machines.ts';

interface ExposureOptions {
  readonly now: number;
  readonly policies: MachinePolicies;
  /** The machines to count; null for all. */
  readonly within?: ReadonlySet<number> | null;
}

/** Counts the machines that the criteria `misses`, `overdue`, `mayMiss` and `accepts` find for the name, and the others. */
export async function readExposure(
  database: Queryable,
  name: string,
  options: ExposureOptions,
): Promise<MachineExposure> {
  const wanted = readNames([fold(name)]);
  const missingIds = await findMissedNames(database, wanted);
  const marks = await readMachinesOfMissing(database, missingIds, options.now);
  return countExposure(database, marks, { missingIds, wanted }, options);
}

const UnjudgedRow = z.object({ id: z.number(), beingJudged: z.boolean() });

/** Few machines are not judged, so their numbers are read; all others are counted. */
const unjudgedSql = `select id, judged_on is null as "beingJudged" from machine_standing where not_judged or judged_on is null`;

interface ExposedRecords {
  readonly wanted: CriterionNames;
  /** Those of them that some machine misses. */
  readonly missingIds: readonly number[];
}

export async function countExposure(
  database: Queryable,
  marks: MissingMarks,
  { missingIds, wanted }: ExposedRecords,
  { now, policies, within = null }: ExposureOptions,
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
  const overdue = await findOverdueMachines(database, policies, missingIds, now, marks);
  const others = Math.max(0, all - marked - notJudged - beingJudged);
  const isKnown = others === 0 || missingIds.length > 0 || (await isCompared(database, wanted));
  return {
    // A machine may be removed between two of the statements.
    machines: Math.max(all, marked),
    ...counts,
    overdue: countWithin(overdue, within),
    notMissing: isKnown ? others : 0,
    notCompared: isKnown ? 0 : others,
    notJudged,
    beingJudged,
  };
}
