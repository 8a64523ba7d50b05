/** The whole service as one HTTP application, without listening: every concern's routes on one server. */
import { fileURLToPath } from 'node:url';
import { feeds } from '@patch/catalogue/feeds.ts';
import { forgotPasswordCall, resetPasswordCall } from '@patch/contract/password-reset-calls.ts';
import { syncEventsCall } from '@patch/contract/source-settings-calls.ts';
import { authenticateCall } from '@patch/contract/sign-in-calls.ts';
import type { FastifyInstance } from 'fastify';
import { ownPasswordRoutes } from './auth/own-password-routes.ts';
import { passwordResetRoutes } from './auth/password-reset-routes.ts';
import { sessionsOf } from './auth/sessions.ts';
import { deleteExpiredAttempts } from './auth/sign-in-attempt-store.ts';
import { signInRoutes } from './auth/sign-in-routes.ts';
import type { Config } from './config.ts';
import type { Database } from './database/database.ts';
import { dashboardRoutes } from './dashboard/dashboard-routes.ts';
import { detailRoutes } from './details/detail-routes.ts';
import { languageMapRoutes } from './details/language-map-routes.ts';
import { exportRoutes } from './export/export-routes.ts';
import { answerCalls } from './http/answer-calls.ts';
import { EventStream } from './http/event-stream.ts';
import { serveConsole } from './http/console-pages.ts';
import { describeCalls } from './http/describe-calls.ts';
import { healthRoutes } from './http/health-routes.ts';
import type { EventTimes } from './http/send-events.ts';
import { webServer } from './http/web-server.ts';
import { sharedIdentifiersRoutes } from './identifiers/shared-identifiers-routes.ts';
import { addressOf } from './listen.ts';
import type { Log } from './logging.ts';
import { addMail, type NewMail } from './mail/mail-outbox-store.ts';
import { mailRoutes } from './mail/mail-routes.ts';
import { preferenceRoutes } from './preferences/preference-routes.ts';
import { savedViewRoutes } from './preferences/saved-view-routes.ts';
import type { SecretBox } from './secrets/secret-box.ts';
import { searchRoutes } from './search/search-routes.ts';
import { sourceSettingsRoutes } from './sync/source-settings-routes.ts';
import { sourceStates } from './sync/source-states.ts';
import type { Sync } from './sync/start-sync.ts';
import { SyncEvents } from './sync/sync-events.ts';
import { syncRoutes } from './sync/sync-routes.ts';

export interface AppParts {
  readonly database: Database;
  readonly config: Pick<Config, 'baseUrl' | 'trustProxy' | 'sessionIdleMinutes' | 'sessionMaxHours' | 'checkReplies' | 'feedMirror'>;
  readonly log: Log;
  readonly sync: Pick<Sync, 'start' | 'cancel' | 'keepSchedules'>;
  readonly box: SecretBox;
  /** There are mails to be sent. */
  readonly onMail?: () => void;
  readonly clock?: () => number;
  readonly eventTimes?: EventTimes;
  /** The built console. */
  readonly consoleFolder?: string;
}

const builtConsole = fileURLToPath(new URL('../console/dist', import.meta.url));
const cleanedEvery = 10 * 60_000;

export async function buildApp({
  database,
  config,
  log,
  sync,
  box,
  onMail = () => undefined,
  clock = Date.now,
  eventTimes,
  consoleFolder = builtConsole,
}: AppParts): Promise<FastifyInstance> {
  const app = await webServer({ log, trustProxy: config.trustProxy });
  const sessions = sessionsOf(database, { idleMs: config.sessionIdleMinutes * 60_000, mostMs: config.sessionMaxHours * 3_600_000 }, clock);
  // Generous: many people may share an address. The lock-out guards the accounts.
  const answer = answerCalls(app, {
    findSession: sessions.find,
    sessionHolds: sessions.holds,
    checkReplies: config.checkReplies,
    limits: { [authenticateCall.name]: 120, [forgotPasswordCall.name]: 20, [resetPasswordCall.name]: 60 },
    ...(eventTimes !== undefined && { eventTimes }),
  });

  async function sendSoon(mail: NewMail): Promise<void> {
    await addMail(database, mail, clock());
    onMail();
  }

  healthRoutes(answer, { database });
  signInRoutes(answer, { database, sessions, clock });
  ownPasswordRoutes(answer, { database, sessions, clock });
  passwordResetRoutes(answer, { database, sessions, clock, log, baseUrl: () => config.baseUrl ?? addressOf(app), mail: sendSoon });
  mailRoutes(answer, { database, box, clock });
  searchRoutes(answer, { database });
  detailRoutes(answer, { database });
  languageMapRoutes(answer);
  exportRoutes(answer, { database, clock });
  dashboardRoutes(answer, { database, clock });
  sharedIdentifiersRoutes(answer, { database });
  preferenceRoutes(answer, { database });
  savedViewRoutes(answer, { database, clock });
  const events = new SyncEvents({
    states: () => sourceStates({ database, feeds, clock }),
    onError: (error) => log.warn({ err: error }, 'how the sources stand could not be read'),
  });
  const told = nudging(sync, events);
  answer(syncEventsCall, () => Promise.resolve(new EventStream((signal) => events.listen(signal))));
  syncRoutes(answer, { database, sync: told, feeds, clock });
  sourceSettingsRoutes(answer, { database, sync: told, feeds, feedMirror: config.feedMirror, log, clock });
  describeCalls(app);
  await serveConsole(app, consoleFolder);

  const cleaning = setInterval(() => {
    Promise.all([sessions.removeExpired(), deleteExpiredAttempts(database, clock())]).catch((error: unknown) =>
      log.warn({ err: error }, 'expired sessions were not removed'),
    );
  }, cleanedEvery).unref();
  app.addHook('onClose', async () => clearInterval(cleaning));
  return app;
}

/** Whoever changes something here sees it at once, not at the next look. */
function nudging(sync: AppParts['sync'], events: SyncEvents): AppParts['sync'] {
  const told = <Result>(done: Promise<Result>) => done.finally(() => events.nudge());
  return {
    start: (source, startedBy) => told(sync.start(source, startedBy)),
    cancel: (source, by) => told(sync.cancel(source, by)),
    keepSchedules() {
      sync.keepSchedules();
      events.nudge();
    },
  };
}
