/** What a licensed client reports about itself when it calls: its version, when its copy was last up to date, and when it last asked for changes. */
import type { ClientContext } from './client-context.ts';
import { unknownClient } from './client-state.ts';
import {
  type ClientContent,
  changeClient,
  lockClient,
  type StoredClient,
} from './licensed-client-store.ts';

/** The time of the last request is written at most this often: a client asks for one page after the other. */
const requestIntervalMs = 60_000;

export interface Heartbeat {
  readonly applicationVersion: string;
  /** Epoch milliseconds by the client's clock; absent when it is not known. */
  readonly repoUpdatedOn?: number | undefined;
}

/** Returns the client as it is after the heartbeat. Throws an AppError `unknown_client` when it has been removed. */
export function recordHeartbeat(
  context: ClientContext,
  id: number,
  heartbeat: Heartbeat,
): Promise<StoredClient> {
  return writeContact(context, id, (before) =>
    heartbeatContent(before, heartbeat, context.clock()),
  );
}

/** `repoUpdatedOn` never goes back, and never past `now`: the client's clock may be wrong. */
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

/** Records that the client asked for changes now, unless that was recorded less than a minute ago. */
export async function recordRequest(
  context: ClientContext,
  { id, latestKbRequestOn }: Pick<StoredClient, 'id' | 'latestKbRequestOn'>,
): Promise<void> {
  const { clock } = context;
  // The time on record lies in the future when this service's clock was fast and has been corrected since.
  if (Math.abs(clock() - (latestKbRequestOn ?? 0)) < requestIntervalMs) return;
  await writeContact(context, id, () => ({ latestKbRequestOn: clock() }));
}

async function writeContact(
  { database, clock }: ClientContext,
  id: number,
  contentOf: (before: StoredClient) => Partial<ClientContent>,
): Promise<StoredClient> {
  return database.transaction(async (tx) => {
    const before = await lockClient(tx, id);
    if (before === null) throw unknownClient();
    const content = contentOf(before);
    await changeClient(tx, before, content, clock());
    return { ...before, ...content };
  });
}
