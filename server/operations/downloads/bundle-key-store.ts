/** Stores the public keys of the installations whose bundles are trusted here. */
import { BundleKey } from '@patch/contract/bundle-endpoints.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { queryRows } from '../../platform/database/query-rows.ts';

const columns = `fingerprint, name, public_key as "publicKey", added_time as "addedAt", added_by as "addedBy"`;

export async function readTrustedKeys(database: Queryable): Promise<readonly BundleKey[]> {
  const rows = await queryRows(
    database,
    BundleKey,
    `select ${columns} from bundle_key order by name, fingerprint`,
  );
  return rows;
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
