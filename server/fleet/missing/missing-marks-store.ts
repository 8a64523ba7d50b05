/** Reads which machines miss records, by the parts that miss them. Every number and list of such machines comes from here. */
import { missingStates } from '@patch/catalogue/fleet/missing-finding.ts';
import { z } from 'zod';
import { arrayText } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { openWord } from '../../platform/database/plain-rows.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { readActiveExceptions } from '../judgement/missing-exception-store.ts';
import { readSetsOfParts } from '../parts/part-machines-store.ts';
import { MissingMarks } from './missing-marks.ts';

/** Sets of this many parts are decoded at once, so that requests in between wait for milliseconds. */
const partsAtOnce = 500;

const MissingRow = z.object({
  part_id: z.number(),
  missing_id: z.number(),
  state: openWord<(typeof missingStates)[number]>(),
});
type MissingRow = z.infer<typeof MissingRow>;

/**
 * Returns the machines that miss one of the records.
 * @param missingIds Ids of `missing_record`.
 * @param now The time at which exceptions must be valid.
 */
export async function readMachinesOfMissing(
  database: Queryable,
  missingIds: readonly number[],
  now: number,
): Promise<MissingMarks> {
  const marks = new MissingMarks();
  if (missingIds.length === 0) return marks;
  const rows = await queryRows(
    database,
    MissingRow,
    'select part_id, missing_id, state from part_missing where missing_id = any($1::int[])',
    [arrayText(missingIds)],
  );
  const exceptions = await readActiveExceptions(database, now);
  const plain = bestStates(rows.filter(({ missing_id }) => !exceptions.concern(missing_id)));
  const parts = [...plain.keys()];
  for (let from = 0; from < parts.length; from += partsAtOnce)
    marks.add(await readSetsOfParts(database, parts.slice(from, from + partsAtOnce)), plain);
  const excepted = rows.filter(({ missing_id }) => exceptions.concern(missing_id));
  for (const [missingId, own] of Map.groupBy(excepted, ({ missing_id }) => missing_id)) {
    const states = bestStates(own);
    marks.add(await readSetsOfParts(database, [...states.keys()]), states, (client, machine) =>
      exceptions.covers(client, machine, missingId),
    );
  }
  return marks;
}

function bestStates(rows: readonly MissingRow[]): ReadonlyMap<number, number> {
  const states = new Map<number, number>();
  for (const { part_id, state } of rows)
    states.set(part_id, Math.max(states.get(part_id) ?? 0, missingStates.indexOf(state)));
  return states;
}
