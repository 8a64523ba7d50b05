/** Assembles the whole service as one HTTP application, without listening: the routes of every module on one server. */
import { fileURLToPath } from 'node:url';
import { feeds } from '@patch/catalogue/feeds.ts';
import { activateEndpoint } from '@patch/contract/client-protocol-endpoints.ts';
import { forgotPasswordEndpoint, resetPasswordEndpoint } from '@patch/contract/password-reset-endpoints.ts';
import { signInFactorsEndpoint } from '@patch/contract/second-factor-endpoints.ts';
import { authenticateEndpoint, type UserType } from '@patch/contract/sign-in-endpoints.ts';
import { syncEventsEndpoint } from '@patch/contract/source-settings-endpoints.ts';
import { ssoCallbackEndpoint, startSsoEndpoint } from '@patch/contract/sso-endpoints.ts';
import type { FastifyInstance } from 'fastify';
import { alertRoutes } from './alerts/alert-routes.ts';
import { syncSummaryRoutes } from './alerts/sync-summary-routes.ts';
import { apiKeyAuthenticator } from './api-keys/api-key-authenticator.ts';
import { apiKeyRoutes } from './api-keys/api-key-routes.ts';
import type { AuditAnchors } from './audit/audit-anchor.ts';
import { auditKey } from './audit/audit-key.ts';
import { removeOldEntries } from './audit/audit-retention.ts';
import { auditRoutes } from './audit/audit-routes.ts';
import { auditHook } from './audit/audit-hook.ts';
import { ownPasswordRoutes } from './auth/own-password-routes.ts';
import { passwordResetRoutes } from './auth/password-reset-routes.ts';
import { requiresSecondFactor, sessionsOf } from './auth/sessions.ts';
import { deleteExpiredAttempts } from './auth/sign-in-attempt-store.ts';
import { signInRoutes } from './auth/sign-in-routes.ts';
import { findClient } from './clients/client-authenticator.ts';
import { clientProtocolRoutes } from './clients/client-protocol-routes.ts';
import { exposureRoutes } from './clients/exposure-routes.ts';
import { licensedClientRoutes } from './clients/licensed-client-routes.ts';
import type { Config } from './config.ts';
import { dashboardRoutes } from './dashboard/dashboard-routes.ts';
import type { Database } from './database/database.ts';
import { detailRoutes } from './details/detail-routes.ts';
import { languageMapRoutes } from './details/language-map-routes.ts';
import { bundleImportRoutes } from './downloads/bundle-import-routes.ts';
import { downloadRoutes } from './downloads/download-routes.ts';
import type { Downloads } from './downloads/start-downloads.ts';
import { exportRoutes } from './export/export-routes.ts';
import { registerEndpoints } from './http/register-endpoints.ts';
import { serveConsole } from './http/console-pages.ts';
import { describeEndpoints } from './http/describe-endpoints.ts';
import { EventStream } from './http/event-stream.ts';
import { healthRoutes, type ServicePhase } from './http/health-routes.ts';
import type { EventTimes } from './http/send-events.ts';
import { requireEncryption } from './http/security-headers.ts';
import { webServer } from './http/web-server.ts';
import { sharedIdentifiersRoutes } from './identifiers/shared-identifiers-routes.ts';
import { addressOf } from './listen.ts';
import type { Log } from './logging.ts';
import { addMail, type NewMail } from './mail/mail-outbox-store.ts';
import { mailRoutes } from './mail/mail-routes.ts';
import { MailTargets } from './mail/mail-targets.ts';
import { metricsRoute } from './metrics/metrics-route.ts';
import { preferenceRoutes } from './preferences/preference-routes.ts';
import { savedViewRoutes } from './preferences/saved-view-routes.ts';
import { SearchDesk } from './search/search-desk.ts';
import { searchRoutes } from './search/search-routes.ts';
import type { SecretBox } from './secrets/secret-box.ts';
import { liveSettings } from './settings/live-settings.ts';
import { settingsRoutes } from './settings/settings-routes.ts';
import { ssoRoutes } from './sso/sso-routes.ts';
import { deleteExpiredTickets } from './sso/sso-ticket-store.ts';
import { ssoTicketsOf } from './sso/sso-tickets.ts';
import { ReleaseHistories } from './sync/release-histories.ts';
import { sourceSettingsRoutes } from './sync/source-settings-routes.ts';
import { sourceStates } from './sync/source-states.ts';
import type { Sync } from './sync/start-sync.ts';
import { SyncEvents } from './sync/sync-events.ts';
import { syncRoutes } from './sync/sync-routes.ts';
import { searchTagsRoutes } from './tags/search-tags-routes.ts';
import { passkeyRoutes } from './two-factor/passkey-routes.ts';
import { deleteExpiredChallenges } from './two-factor/passkey-store.ts';
import { passkeysOf } from './two-factor/passkeys.ts';
import { secondFactorOf } from './two-factor/second-factor.ts';
import { twoFactorRoutes } from './two-factor/two-factor-routes.ts';
import { avatarRoutes } from './users/avatar-routes.ts';
import { openSessionRoutes } from './users/open-session-routes.ts';
import { userRoutes } from './users/user-routes.ts';

export interface AppParts {
  /** Where the end of the audit log is noted outside the database. */
  readonly anchors?: AuditAnchors | null;
  readonly database: Database;
  readonly config: Pick<
    Config,
    'baseUrl' | 'trustProxy' | 'sessionIdleMinutes' | 'sessionMaxHours' | 'checkReplies' | 'feedMirror' | 'mailTargets'
  >;
  readonly log: Log;
  readonly sync: Pick<Sync, 'start' | 'cancel' | 'keepSchedules'>;
  readonly box: SecretBox;
  /** Null: this process makes no downloads. */
  readonly downloads?: Downloads | null;
  /** Called when there are emails to send. */
  readonly onMail?: () => void;
  readonly clock?: () => number;
  /** For load balancers; ready, when absent. */
  readonly phase?: () => ServicePhase;
  /** METRICS_TOKEN. */
  readonly metricsToken?: string | null;
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
  downloads = null,
  onMail = () => undefined,
  clock = Date.now,
  phase = () => 'ready',
  metricsToken = null,
  eventTimes,
  consoleFolder = builtConsole,
  anchors = null,
}: AppParts): Promise<FastifyInstance> {
  const app = await webServer({ log, trustProxy: config.trustProxy });
  const findApiKey = apiKeyAuthenticator(database, clock);
  const histories = new ReleaseHistories(database);
  const states = () => sourceStates({ database, feeds, clock, histories });
  metricsRoute(app, { database, states, clock, token: metricsToken, findApiKey });
  const keyOfAudit = auditKey(box);
  const settings = await liveSettings(database, config, (error) => log.warn({ err: error }, 'the settings could not be read'));
  app.addHook('onClose', async () => settings.stop());
  requireEncryption(app, () => settings.current().baseUrl);
  const limits = () => {
    const { sessionIdleMinutes, sessionMaxHours, secondFactorRequired } = settings.current();
    return { idleMs: sessionIdleMinutes * 60_000, maxMs: sessionMaxHours * 3_600_000, secondFactorRequired };
  };
  const sessions = sessionsOf(database, limits, clock);
  // Generous: many people may share an address. sign-in-limits.ts guards the accounts.
  const answer = registerEndpoints(app, {
    findSession: sessions.find,
    findApiKey,
    findClient: (token) => findClient(database, token, clock()),
    onAction: auditHook({ database, key: keyOfAudit, anchors, log, clock }),
    sessionHolds: sessions.holds,
    checkReplies: config.checkReplies,
    limits: {
      [authenticateEndpoint.name]: 120,
      [signInFactorsEndpoint.name]: 120,
      [forgotPasswordEndpoint.name]: 20,
      [resetPasswordEndpoint.name]: 60,
      [startSsoEndpoint.name]: 120,
      [ssoCallbackEndpoint.name]: 120,
      [activateEndpoint.name]: 30,
    },
    ...(eventTimes !== undefined && { eventTimes }),
  });

  async function sendSoon(mail: NewMail): Promise<void> {
    await addMail(database, mail, clock());
    onMail();
  }

  healthRoutes(answer, { database, phase });
  auditRoutes(answer, { database, key: keyOfAudit, anchors, clock });
  settingsRoutes(answer, { database, settings });
  const passkeys = passkeysOf({ database, box, clock, baseUrl: () => settings.current().baseUrl });
  const secondFactor = secondFactorOf({ database, box, passkeys, clock });
  const tickets = ssoTicketsOf({ database, sessions, secondFactor, clock });
  signInRoutes(answer, { database, sessions, clock, secondFactor, tickets });
  const isRequired = (userType: UserType) => requiresSecondFactor(settings.current().secondFactorRequired, userType);
  twoFactorRoutes(answer, {
    database,
    box,
    sessions,
    secondFactor,
    clock,
    isRequired,
  });
  passkeyRoutes(answer, { database, passkeys, sessions, isRequired });
  ssoRoutes(answer, { database, box, tickets, clock, log, baseUrl: () => settings.current().baseUrl ?? addressOf(app) });
  ownPasswordRoutes(answer, { database, sessions, clock });
  passwordResetRoutes(answer, {
    database,
    sessions,
    clock,
    log,
    baseUrl: () => settings.current().baseUrl ?? addressOf(app),
    mail: sendSoon,
  });
  userRoutes(answer, { database, sessions, clock, baseUrl: () => settings.current().baseUrl ?? addressOf(app), onMail });
  avatarRoutes(answer, { database, sessions });
  openSessionRoutes(answer, { database, sessions });
  apiKeyRoutes(answer, { database, clock });
  mailRoutes(answer, { database, box, clock, targets: new MailTargets(config.mailTargets) });
  const desk = new SearchDesk({ database, box });
  searchRoutes(answer, { desk });
  detailRoutes(answer, { database, box });
  languageMapRoutes(answer);
  searchTagsRoutes(answer, { database, clock });
  exportRoutes(answer, { database, clock, desk });
  downloadRoutes(answer, { database, downloads, clock });
  bundleImportRoutes(answer, { database, downloads, clock });
  dashboardRoutes(answer, { database, clock, desk });
  licensedClientRoutes(answer, { database, clock, box });
  exposureRoutes(answer, { database, clock, desk });
  clientProtocolRoutes(answer, { database, clock });
  sharedIdentifiersRoutes(answer, { database, desk });
  preferenceRoutes(answer, { database });
  savedViewRoutes(answer, { database, clock });
  alertRoutes(answer, { database, clock, desk, timeZone: () => settings.current().timeZone });
  syncSummaryRoutes(answer, { database, clock, timeZone: () => settings.current().timeZone });
  const events = new SyncEvents({
    states,
    onError: (error) => log.warn({ err: error }, 'the state of the sources could not be read'),
  });
  const told = notifying(sync, events);
  answer(syncEventsEndpoint, () => Promise.resolve(new EventStream((signal) => events.listen(signal))));
  syncRoutes(answer, { database, sync: told, feeds, states });
  sourceSettingsRoutes(answer, { database, sync: told, feeds, feedMirror: () => settings.current().feedMirror, log, clock });
  describeEndpoints(app);
  await serveConsole(app, consoleFolder);

  const cleaning = setInterval(() => {
    Promise.all([
      sessions.removeExpired(),
      deleteExpiredAttempts(database, clock()),
      deleteExpiredTickets(database, clock()),
      deleteExpiredChallenges(database, clock()),
      removeOldEntries(database, keyOfAudit, settings.current().auditKeptDays, clock()),
    ]).catch((error: unknown) => log.warn({ err: error }, 'expired rows could not be removed'));
  }, cleanedEvery).unref();
  app.addHook('onClose', async () => clearInterval(cleaning));
  return app;
}

/** A process sees its own changes at once, not at the next poll. */
function notifying(sync: AppParts['sync'], events: SyncEvents): AppParts['sync'] {
  const told = <Result>(done: Promise<Result>) => done.finally(() => events.notify());
  return {
    start: (source, startedBy) => told(sync.start(source, startedBy)),
    cancel: (source, by) => told(sync.cancel(source, by)),
    keepSchedules() {
      sync.keepSchedules();
      events.notify();
    },
  };
}
