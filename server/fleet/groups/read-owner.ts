/** Checks an owner: a user, or the address of a person without an account. */
import type { GroupOwner } from '@patch/contract/fleet/machine-group-endpoints.ts';
import type { z } from 'zod';
import { getExistingUser } from '../../identity/accounts/user-store.ts';
import type { Queryable } from '../../platform/database/database.ts';

export interface OwnerToStore {
  readonly ownerId: number | null;
  readonly ownerAddress: string | null;
}

/** @throws AppError `no_such_user`. */
export async function readOwner(
  tx: Queryable,
  owner: z.infer<typeof GroupOwner> | null,
): Promise<OwnerToStore> {
  if (owner === null) return { ownerId: null, ownerAddress: null };
  if ('address' in owner) return { ownerId: null, ownerAddress: owner.address };
  await getExistingUser(tx, owner.userId);
  return { ownerId: owner.userId, ownerAddress: null };
}
