/** Held withdrawals: too many rows of a part are no longer listed, and an administrator must decide what happens to them. */
import type { SourceKey } from '@patch/catalogue/sources.ts';
import { heldDecisions } from '@patch/contract/source-settings-endpoints.ts';
import { HeldWithdrawal } from '@patch/contract/sync-endpoints.ts';
import { z } from 'zod';
import { arrayText } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { jsonText, plainText } from '../../platform/database/json-text.ts';
import { queryRows } from '../../platform/database/query-rows.ts';

export type HeldDecision = (typeof heldDecisions)[number];

/** Where it is held. */
export interface HeldPlace {
  readonly source: SourceKey;
  readonly part: string;
  readonly list: string;
}

export const HeldRows = z.object({
  /** Hash of the ids of the missing rows. */
  missingHash: z.string(),
  decision: z.enum(heldDecisions).nullable(),
  decidedBy: z.string().nullable(),
});
export type HeldRows = z.infer<typeof HeldRows>;

type NewHeld = HeldPlace & HeldWithdrawal & { readonly missingHash: string };

const place = 'source = $1 and part = $2 and list = $3';
const placeOf = ({ source, part, list }: HeldPlace) => [source, part, list];

const UndecidedRow = HeldWithdrawal.extend({ source: z.string() });

/** Undecided ones, by source. */
export async function undecidedWithdrawals(
  database: Queryable,
): Promise<ReadonlyMap<string, readonly HeldWithdrawal[]>> {
  const rows = await queryRows(
    database,
    UndecidedRow,
    `select source, part, part_label as "partLabel", list, known, missing, examples, run_id as "runId", held_time as "heldAt"
     from held_withdrawal where decision is null order by source, held_time, part, list`,
  );
  const bySource = new Map<string, HeldWithdrawal[]>();
  for (const { source, ...held } of rows)
    bySource.set(source, [...(bySource.get(source) ?? []), held]);
  return bySource;
}

export async function heldRows(database: Queryable, held: HeldPlace): Promise<HeldRows | null> {
  const rows = await queryRows(
    database,
    HeldRows,
    `select missing_hash as "missingHash", decision, decided_by as "decidedBy" from held_withdrawal where ${place}`,
    placeOf(held),
  );
  return rows[0] ?? null;
}

/** Whether the part has something pending: a decision, or a run that withdraws as decided. */
export async function isPartHeld(
  database: Queryable,
  source: SourceKey,
  part: string,
): Promise<boolean> {
  const { rows } = await database.query(
    `select 1 from held_withdrawal where source = $1 and part = $2 and decision is distinct from 'keep' limit 1`,
    [source, part],
  );
  return rows.length > 0;
}

/** Earlier withdrawals and decisions of the same part and list are forgotten. */
export async function hold(tx: Queryable, held: NewHeld): Promise<void> {
  await tx.query(
    `insert into held_withdrawal (source, part, list, part_label, known, missing, examples, missing_hash, run_id, held_time)
     values ($1, $2, $3, $4, $5, $6, $7::jsonb, $8, $9, $10)
     on conflict (source, part, list) do update set part_label = excluded.part_label, known = excluded.known,
       missing = excluded.missing, examples = excluded.examples, missing_hash = excluded.missing_hash, run_id = excluded.run_id,
       held_time = excluded.held_time, decision = null, decided_by = null`,
    [
      ...placeOf(held),
      plainText(held.partLabel),
      held.known,
      held.missing,
      jsonText(held.examples),
      held.missingHash,
      held.runId,
      held.heldAt,
    ],
  );
}

/** Some of the rows have been withdrawn as decided; the decision applies to the remaining ones. */
export async function holdRest(tx: Queryable, held: HeldPlace, missingHash: string): Promise<void> {
  await tx.query(`update held_withdrawal set missing_hash = $4 where ${place}`, [
    ...placeOf(held),
    missingHash,
  ]);
}

/** False when nothing is held there, or it has already been decided. */
export async function decide(
  database: Queryable,
  held: HeldPlace,
  decision: HeldDecision,
  by: string,
): Promise<boolean> {
  const { count } = await database.query(
    `update held_withdrawal set decision = $4, decided_by = $5 where ${place} and decision is null`,
    [...placeOf(held), decision, by],
  );
  return count > 0;
}

export async function release(tx: Queryable, held: HeldPlace): Promise<void> {
  await tx.query(`delete from held_withdrawal where ${place}`, placeOf(held));
}

/** Parts that are no longer followed need no decision. */
export async function releaseOthers(
  tx: Queryable,
  source: SourceKey,
  followed: readonly string[],
): Promise<void> {
  await tx.query('delete from held_withdrawal where source = $1 and not part = any($2::text[])', [
    source,
    arrayText(followed),
  ]);
}
