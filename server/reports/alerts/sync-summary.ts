/** Sends the daily summary of syncs to each administrator who wants it, at the hour of theirs. */
import type { AnyFeed } from '@patch/catalogue/definition/feed.ts';
import type { SourceKey } from '@patch/catalogue/sources.ts';
import type { ReleaseHistories } from '../../ingest/sync/release-histories.ts';
import { sourceStates } from '../../ingest/sync/source-states.ts';
import type { Database } from '../../platform/database/database.ts';
import { addMail } from '../../platform/mail/mail-outbox-store.ts';
import { isDailyDue, ownerZone } from './owner-zone.ts';
import { syncSummaryMail } from './sync-summary-mail.ts';
import {
  daysOfSources,
  failuresSince,
  noteSummary,
  summarySubscribers,
} from './sync-summary-store.ts';

const day = 24 * 3_600_000;

export interface SummaryParts {
  readonly database: Database;
  readonly feeds: Partial<Record<SourceKey, AnyFeed>>;
  readonly histories: ReleaseHistories;
  readonly now: number;
  /** Of the service; null without one. */
  readonly timeZone: string | null;
  readonly baseUrl: string | null;
  readonly installation: string;
}

/** Answers how many mails were queued. */
export async function queueSummaries({
  database,
  feeds,
  histories,
  now,
  timeZone: service,
  baseUrl,
  installation,
}: SummaryParts): Promise<number> {
  const readers = (await summarySubscribers(database)).map((reader) => ({
    ...reader,
    zone: ownerZone(reader.ownZone, service, reader.timeZone),
  }));
  const due = readers.filter(({ hour, zone, sentTime }) => isDailyDue(sentTime, hour, zone, now));
  if (due.length === 0) return 0;
  const states = await sourceStates({ database, feeds, clock: () => now, histories });
  const days = await daysOfSources(database, now - day);
  const failures = await failuresSince(database, now - day);
  let queued = 0;
  for (const reader of due) {
    const mail = syncSummaryMail({
      states,
      days,
      failures,
      now,
      timeZone: reader.zone,
      baseUrl,
      installation,
    });
    const sent = await database.transaction(async (tx) => {
      if (!(await noteSummary(tx, reader, now))) return false;
      await addMail(tx, { recipient: reader.email, ...mail }, now);
      return true;
    });
    if (sent) queued += 1;
  }
  return queued;
}
