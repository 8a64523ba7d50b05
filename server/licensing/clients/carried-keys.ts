/** Gives an administrator the keys of a client that cannot reach the repository itself. */
import type { CarriedKeys } from '@patch/contract/licensing/client-protocol-endpoints.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import type { ClientContext } from './client-context.ts';
import { requireClient } from './client-records.ts';
import { assertLicensed, toLicence } from './client-state.ts';
import type { TreeGiver } from './tree-giver.ts';

export interface KeysContext extends ClientContext {
  readonly baseUrl: () => string;
  /** Null: no tree is published. */
  readonly tree: TreeGiver | null;
}

/**
 * The client may have been activated or not.
 * @throws AppError `not_found`, `client_revoked`, `licence_expired`, or `not_published` when there is no tree for the client.
 */
export async function giveCarriedKeys(
  { database, clock, baseUrl, tree: giver }: KeysContext,
  id: number,
): Promise<CarriedKeys> {
  const client = await requireClient(database, id);
  const now = clock();
  assertLicensed(client, now);
  const { clientName, ring } = client;
  if (ring !== null)
    throw new AppError(
      'not_published',
      `${clientName} is in a ring, and the catalogue is published as it is now. Take it out of the ring, or let it ask for changes.`,
    );
  const tree = (await giver?.accessFor(client, now)) ?? null;
  if (tree === null)
    throw new AppError(
      'not_published',
      'The catalogue is not published, or has no root yet. Set PUBLISH_TO, and make a root: npm run catalogue-root.',
    );
  return { server: baseUrl(), licence: { ...toLicence(client), tree } };
}
