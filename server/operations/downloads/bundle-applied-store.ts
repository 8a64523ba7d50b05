/** Stores the newest applied bundle of each source, by the key that signed it. */
import { z } from 'zod';
import { arrayText } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { queryRows } from '../../platform/database/query-rows.ts';

export const AppliedBundle = z.object({
  source: z.string(),
  /** When it was created, in epoch milliseconds by the clock of the installation that created it. */
  madeAt: z.number(),
  appliedAt: z.number(),
});
export type AppliedBundle = z.infer<typeof AppliedBundle>;

export async function readNewestApplied(
  database: Queryable,
  publicKey: string,
  sources: readonly string[],
): Promise<readonly AppliedBundle[]> {
  const rows = await queryRows(
    database,
    AppliedBundle,
    `select source, made_time as "madeAt", applied_time as "appliedAt" from bundle_applied
     where public_key = $1 and source = any($2::text[]) order by source`,
    [publicKey, arrayText(sources)],
  );
  return rows;
}

export async function recordApplied(
  tx: Queryable,
  publicKey: string,
  sources: readonly string[],
  madeAt: number,
  now: number,
): Promise<void> {
  await tx.query(
    `insert into bundle_applied (public_key, source, made_time, applied_time)
     select $1, source, $3, $4 from unnest($2::text[]) as given(source)
     on conflict (public_key, source) do update set applied_time = excluded.applied_time,
       made_time = greatest(bundle_applied.made_time, excluded.made_time)`,
    [publicKey, arrayText(sources), madeAt, now],
  );
}
