/** Reads whether the standing judgement has work to do, in one statement, so that frequent checks cost little. */
import { exceptionWarningDays } from '@patch/contract/fleet/exception-endpoints.ts';
import { z } from 'zod';
import { arrayText } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { allPatches } from '../../platform/database/records/record-index-row.ts';
import { riskRevision } from '../../platform/database/searched-relation.ts';
import { productVersion } from '../../platform/http/product-version.ts';
import { judgedLists } from './follow-lists.ts';

/** Change it when the rules of the judgement change, or the way in which inventories are split into parts. */
export const judgementRules = `${productVersion} 7`;
/** Minimum time between two tallies. */
export const minTallyRestMs = 60_000;
/** The machines of each day are counted, also when nothing has changed. */
const dayMs = 86_400_000;

const DueRow = z.object({ fleet: z.boolean(), reports: z.boolean(), changes: z.boolean() });

export interface DueJudgement {
  /** True when machines exist. */
  readonly fleet: boolean;
  /** True when machines were reported. */
  readonly reports: boolean;
  /** True when anything else changed: records, exceptions, rules, the tally, the day. */
  readonly changes: boolean;
}

/** @param tallyRestMs Minimum time between two tallies. */
export async function readDueJudgement(
  database: Queryable,
  {
    now,
    rules,
    tallyRestMs,
  }: { readonly now: number; readonly rules: string; readonly tallyRestMs: number },
): Promise<DueJudgement> {
  const [row] = await queryRows(
    database,
    DueRow,
    `select exists(select from fleet_client) as fleet,
       exists(select from inventory_part where not judged) or exists(select from machine_standing where counted_hash is null) as reports,
       exists(select from fleet_client) and (exists(select from part_to_count)
       or exists(select from missing_exception where not ended and (until <= $1 or (not warned and until <= $7)))
       or exists(select from list_revision left join judged_list using (list) where list = any($2::text[])
         and list_revision.revision is distinct from judged_list.revision and list_revision.revision > 0)
       or exists(select from fleet_worker where rules <> $3 or ((tally_due or tallied_on < $1 - $1 % ${dayMs}) and (tallied_on + $6 <= $1 or tallied_on > $1))
         or severity_revision <> coalesce((select revision from list_revision where list = $4), 0)
         or risk_revision <> coalesce((select revision from list_revision where list = $5), 0))) as changes`,
    [
      now,
      arrayText(judgedLists.map(({ key }) => key)),
      rules,
      allPatches.key,
      riskRevision,
      tallyRestMs,
      now + exceptionWarningDays * dayMs,
    ],
  );
  return row ?? { fleet: false, reports: false, changes: false };
}
