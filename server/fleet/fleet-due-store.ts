/** Whether the standing judgement has anything to do: one statement, so that looking often costs little. */
import { z } from 'zod';
import { arrayText } from '../platform/database/array-text.ts';
import type { Queryable } from '../platform/database/database.ts';
import { queryRows } from '../platform/database/query-rows.ts';
import { allPatches } from '../platform/database/record-index.ts';
import { riskRevision } from '../platform/database/searched-relation.ts';
import { judgedLists } from './follow-lists.ts';

export const tallyIntervalMs = 60_000;

const DueRow = z.object({ due: z.boolean() });

export async function isJudgementDue(
  database: Queryable,
  now: number,
  rules: string,
): Promise<boolean> {
  const [row] = await queryRows(
    database,
    DueRow,
    `select exists(select from fleet_client) and (
       exists(select from inventory_part where not judged)
       or exists(select from part_to_count)
       or exists(select from machine_standing where counted_hash is null)
       or exists(select from missing_exception where not ended and until <= $1)
       or exists(select from list_revision left join judged_list using (list) where list = any($2::text[])
         and list_revision.revision is distinct from judged_list.revision and list_revision.revision > 0)
       or exists(select from fleet_worker where rules <> $3 or (tally_due and tallied_on + ${tallyIntervalMs} <= $1)
         or severity_revision <> coalesce((select revision from list_revision where list = $4), 0)
         or risk_revision <> coalesce((select revision from list_revision where list = $5), 0))) as due`,
    [now, arrayText(judgedLists.map(({ key }) => key)), rules, allPatches.key, riskRevision],
  );
  return row?.due ?? false;
}
