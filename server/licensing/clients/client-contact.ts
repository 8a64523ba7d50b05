/** Records what licensed clients report: their version, when their copy was last complete, and their last request for changes. */
import type { ClientContext } from './client-context.ts';
import { unknownClient } from './client-state.ts';
import {
  type ClientContent,
  changeClient,
  lockClient,
  type StoredClient,
} from './licensed-client-store.ts';

/** Minimum time between two writes of the last request: a client requests one page after another. */
const requestIntervalMs = 60_000;

export interface Heartbeat {
  readonly applicationVersion: string;
  /** Epoch milliseconds by the client's clock; absent when unknown. */
  readonly repoUpdatedOn?: number | undefined;
}

/**
 * Returns the client after the heartbeat.
 * @throws AppError `unknown_client` when the client was removed.
 */
export function recordHeartbeat(
  context: ClientContext,
  id: number,
  heartbeat: Heartbeat,
): Promise<StoredClient> {
  return writeContact(context, id, (before) =>
    heartbeatContent(before, heartbeat, context.clock()),
  );
}

/** `repoUpdatedOn` never decreases and never passes `now`: the client's clock may be wrong. */
export function heartbeatContent(
  before: Pick<StoredClient, 'repoUpdatedOn'>,
  { applicationVersion, repoUpdatedOn }: Heartbeat,
  now: number,
): Partial<ClientContent> {
  if (repoUpdatedOn === undefined) return { applicationVersion };
  return {
    applicationVersion,
    repoUpdatedOn: Math.min(Math.max(before.repoUpdatedOn ?? 0, repoUpdatedOn), now),
  };
}

/** Records the time of a request for changes, unless a request was recorded less than a minute ago. */
export async function recordRequest(
  context: ClientContext,
  { id, latestKbRequestOn }: Pick<StoredClient, 'id' | 'latestKbRequestOn'>,
): Promise<void> {
  const { clock } = context;
  // The stored time is in the future when this service's clock was fast and has been corrected
  // since.
  if (Math.abs(clock() - (latestKbRequestOn ?? 0)) < requestIntervalMs) return;
  await writeContact(context, id, () => ({ latestKbRequestOn: clock() }));
}

async function writeContact(
  { database, clock }: ClientContext,
  id: number,
  getContent: (before: StoredClient) => Partial<ClientContent>,
): Promise<StoredClient> {
  return database.transaction(async (tx) => {
    const before = await lockClient(tx, id);
    if (before === null) throw unknownClient();
    const content = getContent(before);
    await changeClient(tx, before, content, clock());
    return { ...before, ...content };
  });
}
