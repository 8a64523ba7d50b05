/** Sends the daily sync summary to each subscribed administrator at the hour they chose. */
import type { AnyFeed } from '@patch/catalogue/definition/feed.ts';
import type { SourceKey } from '@patch/catalogue/sources.ts';
import type { ReleaseHistories } from '../../ingest/sources/release-histories.ts';
import { readSourceStates } from '../../ingest/sources/source-states.ts';
import type { Database } from '../../platform/database/database.ts';
import { addMail } from '../../platform/mail/mail-outbox-store.ts';
import { isDailyDue, ownerZone } from './owner-zone.ts';
import { composeSyncSummary } from './sync-summary-mail.ts';
import {
  readDaysBySource,
  readFailuresSince,
  readSummarySubscribers,
  recordSummary,
} from './sync-summary-store.ts';

const dayMs = 24 * 3_600_000;

export interface SummaryParts {
  readonly database: Database;
  readonly feeds: Partial<Record<SourceKey, AnyFeed>>;
  readonly histories: ReleaseHistories;
  readonly now: number;
  /** The time zone of the service; null without one. */
  readonly timeZone: string | null;
  readonly baseUrl: string | null;
  readonly installation: string;
}

/** Returns the number of queued emails. */
export async function queueSummaries({
  database,
  feeds,
  histories,
  now,
  timeZone: service,
  baseUrl,
  installation,
}: SummaryParts): Promise<number> {
  const subscribers = (await readSummarySubscribers(database)).map((subscriber) => ({
    ...subscriber,
    zone: ownerZone(subscriber.ownZone, service, subscriber.timeZone),
  }));
  const due = subscribers.filter(({ hour, zone, sentTime }) =>
    isDailyDue(sentTime, hour, zone, now),
  );
  if (due.length === 0) return 0;
  const states = await readSourceStates({ database, feeds, clock: () => now, histories });
  const days = await readDaysBySource(database, now - dayMs);
  const failures = await readFailuresSince(database, now - dayMs);
  let queued = 0;
  for (const subscriber of due) {
    const mail = composeSyncSummary({
      states,
      days,
      failures,
      now,
      timeZone: subscriber.zone,
      baseUrl,
      installation,
    });
    const sent = await database.transaction(async (tx) => {
      if (!(await recordSummary(tx, subscriber, now))) return false;
      await addMail(tx, { recipient: subscriber.email, ...mail }, now);
      return true;
    });
    if (sent) queued += 1;
  }
  return queued;
}
