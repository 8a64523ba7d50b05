/** Looks again and again for what the alerts of saved views and the daily summaries have to tell. Several processes may do so. */
import type { AnyFeed } from '@patch/catalogue/definition/feed.ts';
import type { SourceKey } from '@patch/catalogue/sources.ts';
import { ReleaseHistories } from '../../ingest/sync/release-histories.ts';
import type { Database } from '../../platform/database/database.ts';
import { type Notifications, noNotifications } from '../../platform/database/notifications.ts';
import type { Log } from '../../platform/logging/logging.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import { readSettings } from '../../platform/settings/settings-store.ts';
import { restrictedSearch } from '../../records/search/restricted-search.ts';
import { SearchStore } from '../../records/search/search-store.ts';
import { isDue, look, type PollParts, takeRiskStates } from './alert-look.ts';
import {
  allAlerts,
  endUnseenAlerts,
  noteOutcomes,
  type StoredAlert,
  sourcesAtWork,
} from './alert-store.ts';
import { isRiskBusy } from './risk-watch.ts';
import { queueSummaries } from './sync-summary.ts';

export interface AlertsParts {
  readonly database: Database;
  readonly notifications?: Notifications;
  readonly feeds: Partial<Record<SourceKey, AnyFeed>>;
  readonly log: Pick<Log, 'info' | 'warn'>;
  /** Where people find the console, for links; null: nobody has said. Asked when the settings do not say it. */
  readonly baseUrl: { readonly settled: string | null; readonly usual: () => string | null };
  readonly clock?: () => number;
  readonly box: Pick<SecretBox, 'open'>;
  /** There are mails to be sent. */
  readonly onMail?: () => void;
}

export interface Alerts {
  /** Queues all mails that are due, and answers how many; for tests, which wait for it. */
  runDue(): Promise<number>;
  stop(): Promise<void>;
}

/** While a sync writes, its lists change many times a second. */
const minGapMs = 15_000;

export function startAlerts({
  database,
  notifications = noNotifications,
  box,
  feeds,
  log,
  baseUrl,
  clock = Date.now,
  onMail = () => undefined,
}: AlertsParts): Alerts {
  const rowSearch = restrictedSearch({ store: new SearchStore(database), box });
  const histories = new ReleaseHistories(database);
  let looking: Promise<number> | null = null;
  let stopping = false;

  async function lookAtAll(): Promise<number> {
    await database.transaction(noteOutcomes);
    await endUnseenAlerts(database);
    const busy = await sourcesAtWork(database);
    // After the sources: what a run has brought that has ended is seen.
    const alerts = await allAlerts(database);
    const { name: installation, timeZone, baseUrl: saved } = await readSettings(database);
    const now = clock();
    const told = {
      database,
      now,
      timeZone,
      baseUrl: baseUrl.settled ?? saved ?? baseUrl.usual(),
      installation,
    };
    let queued = 0;
    for (const alert of alerts) {
      if (stopping) break;
      const parts = { ...told, rowSearch };
      // What is wrong with one keeps no other from being looked at.
      queued += await lookAt(alert, busy, parts).catch((error: unknown) => {
        log.warn({ err: error, alert: alert.id }, 'an alert could not be checked');
        return 0;
      });
    }
    queued += await queueSummaries({ ...told, feeds, histories });
    if (queued > 0) {
      log.info({ mails: queued }, 'mails of alerts and summaries wait');
      onMail();
    }
    return queued;
  }

  /** Changed states of risk are taken at once, whenever the mail is due: what happens after that is told. */
  async function lookAt(
    alert: StoredAlert,
    busy: ReadonlySet<string>,
    parts: PollParts,
  ): Promise<number> {
    if (!isRiskBusy(busy) && (await takeRiskStates(alert, parts))) return 0;
    return isDue(alert, busy, parts) ? look(alert, parts) : 0;
  }

  function runDue(): Promise<number> {
    looking ??= lookAtAll().finally(() => {
      looking = null;
    });
    return looking;
  }

  const onChange = () =>
    void runDue().catch((error: unknown) =>
      log.warn({ err: error }, 'alerts could not be checked'),
    );
  const unsubscribe = notifications.subscribe(['runs', 'lists'], onChange, minGapMs);
  return {
    runDue,
    async stop() {
      stopping = true;
      unsubscribe();
      await looking?.catch(() => undefined);
    },
  };
}
