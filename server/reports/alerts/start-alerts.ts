/**
 * Periodically checks the alerts of saved views, the freshness of sources and the daily summaries, and queues their emails and
 * events. Several processes may run it.
 */
import type { AnyFeed } from '@patch/catalogue/definition/feed.ts';
import type { SourceKey } from '@patch/catalogue/sources.ts';
import type { SourceState } from '@patch/contract/sources/sync-endpoints.ts';
import { ReleaseHistories } from '../../ingest/sources/release-histories.ts';
import { readSourceStates } from '../../ingest/sources/source-states.ts';
import type { Database } from '../../platform/database/database.ts';
import { type Notifications, noNotifications } from '../../platform/database/notifications.ts';
import type { Log } from '../../platform/logging/logging.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import { readSettings } from '../../platform/settings/settings-store.ts';
import type { CriterionEvaluators } from '../../records/criteria/computed-criteria.ts';
import { restrictedSearch } from '../../records/search/search-service.ts';
import { SearchStore } from '../../records/search/search-store.ts';
import {
  deleteUnseenAlerts,
  readAllAlerts,
  readRunningSources,
  recordMailOutcomes,
  type StoredAlert,
} from './alert-store.ts';
import { captureRiskStates, checkAlert, isDue, type PollParts } from './check-alert.ts';
import { isRiskBusy } from './risk-watch.ts';
import { SourceWatch } from './source-watch.ts';
import { queueSummaries } from './sync-summary.ts';

export interface AlertsParts {
  readonly database: Database;
  readonly notifications?: Notifications;
  readonly feeds: Partial<Record<SourceKey, AnyFeed>>;
  readonly log: Pick<Log, 'info' | 'warn'>;
  /** The base URL for links. `fallback` is called when neither the configuration nor the settings have one; null: unknown. */
  readonly baseUrl: { readonly configured: string | null; readonly fallback: () => string | null };
  readonly clock?: () => number;
  readonly box: Pick<SecretBox, 'open'>;
  /** Of criteria on fields that no row has; absent: none. */
  readonly evaluators?: CriterionEvaluators;
  /** Called when emails were queued. */
  readonly onMail?: () => void;
  /** Queues emails of another module that are due and returns their number. */
  readonly queueOthers?: (parts: OtherMailParts) => Promise<number>;
}

/** With what emails of other modules are composed at `now`. */
export interface OtherMailParts {
  readonly database: Database;
  readonly store: SearchStore;
  readonly states: () => Promise<readonly SourceState[]>;
  readonly now: number;
  readonly baseUrl: string | null;
  readonly installation: string;
  readonly log: AlertsParts['log'];
}

export interface Alerts {
  /** Queues all due emails and returns their number; tests await it. */
  runDue(): Promise<number>;
  stop(): Promise<void>;
}

/** A running sync changes its lists many times a second. */
const minGapMs = 15_000;

export function startAlerts({
  database,
  notifications = noNotifications,
  box,
  evaluators,
  feeds,
  log,
  baseUrl,
  clock = Date.now,
  onMail = () => undefined,
  queueOthers = async () => 0,
}: AlertsParts): Alerts {
  const store = new SearchStore(database, { evaluators });
  const rowSearch = restrictedSearch({ store, box });
  const histories = new ReleaseHistories(database);
  const sourceWatch = new SourceWatch({ database, feeds, clock, histories });
  const states = () => readSourceStates({ database, feeds, clock, histories });
  let checking: Promise<number> | null = null;
  let stopping = false;

  async function checkAll(): Promise<number> {
    await database.transaction(recordMailOutcomes);
    await deleteUnseenAlerts(database);
    const busy = await readRunningSources(database);
    // Read the alerts after the running sources, so that a run that ended in between is reported.
    const alerts = await readAllAlerts(database);
    const { name: installation, timeZone, baseUrl: saved } = await readSettings(database);
    const now = clock();
    const shared = {
      database,
      now,
      timeZone,
      baseUrl: baseUrl.configured ?? saved ?? baseUrl.fallback(),
      installation,
    };
    let queued = 0;
    for (const alert of alerts) {
      if (stopping) break;
      const parts = { ...shared, rowSearch };
      // A failure in one alert does not prevent the check of the others.
      queued += await checkOne(alert, busy, parts).catch((error: unknown) => {
        log.warn({ err: error, alert: alert.id }, 'an alert could not be checked');
        return 0;
      });
    }
    await sourceWatch
      .check()
      .catch((error: unknown) =>
        log.warn({ err: error }, 'the freshness of sources could not be checked'),
      );
    queued += await queueSummaries({ ...shared, feeds, histories });
    queued += await queueOthers({ ...shared, store, log, states });
    if (queued > 0) {
      log.info({ mails: queued }, 'queued emails of alerts, summaries and reports');
      onMail();
    }
    return queued;
  }

  function runDue(): Promise<number> {
    checking ??= checkAll().finally(() => {
      checking = null;
    });
    return checking;
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
      await checking?.catch(() => undefined);
    },
  };
}

/** Captures changed risk states at once, whenever the email is due, so that later changes are reported. */
async function checkOne(
  alert: StoredAlert,
  busy: ReadonlySet<string>,
  parts: PollParts,
): Promise<number> {
  if (!isRiskBusy(busy) && (await captureRiskStates(alert, parts))) return 0;
  return isDue(alert, busy, parts) ? checkAlert(alert, parts) : 0;
}
