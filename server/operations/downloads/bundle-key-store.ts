/** Stores the public keys of the installations whose bundles are trusted here. */
import { BundleKey } from '@patch/contract/operations/bundle-endpoints.ts';
import { z } from 'zod';
import { arrayText } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { queryRows } from '../../platform/database/query-rows.ts';

const columns = `fingerprint, name, public_key as "publicKey", added_time as "addedAt", added_by as "addedBy"`;

export async function readTrustedKeys(database: Queryable): Promise<readonly BundleKey[]> {
  return queryRows(
    database,
    BundleKey,
    `select ${columns} from bundle_key order by name, fingerprint`,
  );
}

/** Returns false when the key is already trusted. */
export async function addBundleKey(database: Queryable, key: BundleKey): Promise<boolean> {
  const { count } = await database.query(
    `insert into bundle_key (fingerprint, name, public_key, added_time, added_by) values ($1, $2, $3, $4, $5) on conflict do nothing`,
    [key.fingerprint, key.name, key.publicKey, key.addedAt, key.addedBy],
  );
  return count > 0;
}

/** Returns null when the key was not trusted. */
export async function removeBundleKey(
  database: Queryable,
  fingerprint: string,
): Promise<BundleKey | null> {
  const rows = await queryRows(
    database,
    BundleKey,
    `delete from bundle_key where fingerprint = $1 returning ${columns}`,
    [fingerprint],
  );
  return rows[0] ?? null;
}

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
  return queryRows(
    database,
    AppliedBundle,
    `select source, made_time as "madeAt", applied_time as "appliedAt" from bundle_applied
     where public_key = $1 and source = any($2::text[]) order by source`,
    [publicKey, arrayText(sources)],
  );
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
