/** How the last publication of the catalogue went, for every process to read. */
import type { Publishing } from '@patch/contract/licensing/publishing-endpoint.ts';
import { z } from 'zod';
import type { Queryable } from '../../platform/database/database.ts';
import { query } from '../../platform/database/sql-statement.ts';

interface Attempt {
  readonly time: number;
  /** Whether readers get all that is known. */
  readonly isComplete: boolean;
  readonly failure: string | null;
}

export async function writePublishingState(
  database: Queryable,
  { time, isComplete, failure }: Attempt,
): Promise<void> {
  await query.run(database)`
    insert into publishing_state (tried_time, published_time, failure)
    values (${time}, ${isComplete ? time : null}, ${failure})
    on conflict (one) do update set tried_time = excluded.tried_time, failure = excluded.failure,
      published_time = coalesce(excluded.published_time, publishing_state.published_time)`;
}

/** The publisher tries once an hour at least. */
const silentAfterMs = 3 * 3_600_000;

const StateRow = z.object({
  triedAt: z.number(),
  publishedAt: z.number().nullable(),
  reason: z.string().nullable(),
});

/** @param place - Null: nothing is to be published. */
export async function readPublishing(
  database: Queryable,
  place: Publishing['place'],
  now: number,
): Promise<Publishing> {
  const none = { place, triedAt: null, publishedAt: null, reason: null };
  if (place === null) return { ...none, state: 'off' };
  const row = await query.row(database, StateRow)`
    select tried_time as "triedAt", published_time as "publishedAt", failure as reason from publishing_state`;
  if (row === null) return { ...none, state: 'waiting' };
  return { place, ...row, state: concludeState(row, now) };
}

function concludeState(
  { triedAt, publishedAt, reason }: z.infer<typeof StateRow>,
  now: number,
): Publishing['state'] {
  if (reason !== null) return 'failed';
  if (now - triedAt > silentAfterMs) return 'silent';
  return publishedAt === null ? 'waiting' : 'published';
}
