/** Assembles the whole service as one HTTP application, without listening: the routes of every module on one server. */
import { fileURLToPath } from 'node:url';
import { feeds } from '@patch/catalogue/feeds.ts';
import type { UserType } from '@patch/contract/sign-in-endpoints.ts';
import { syncEventsEndpoint } from '@patch/contract/source-settings-endpoints.ts';
import type { FastifyInstance } from 'fastify';
import { deleteExpiredAttempts } from './identity/accounts/sign-in-attempt-store.ts';
import { apiKeyAuthenticator } from './identity/api-keys/api-key-authenticator.ts';
import { apiKeyRoutes } from './identity/api-keys/api-key-routes.ts';
import { requiresSecondFactor, sessionsOf } from './identity/sessions/sessions.ts';
import { ownPasswordRoutes } from './identity/sign-in/own-password-routes.ts';
import { passwordResetRoutes } from './identity/sign-in/password-reset-routes.ts';
import { signInRoutes } from './identity/sign-in/sign-in-routes.ts';
import { ssoRoutes } from './identity/sso/sso-routes.ts';
import { deleteExpiredTickets } from './identity/sso/sso-ticket-store.ts';
import { ssoTicketsOf } from './identity/sso/sso-tickets.ts';
import { passkeyRoutes } from './identity/two-factor/passkey-routes.ts';
import { deleteExpiredChallenges } from './identity/two-factor/passkey-store.ts';
import { passkeysOf } from './identity/two-factor/passkeys.ts';
import { secondFactorOf } from './identity/two-factor/second-factor.ts';
import { twoFactorRoutes } from './identity/two-factor/two-factor-routes.ts';
import { avatarRoutes } from './identity/users/avatar-routes.ts';
import { openSessionRoutes } from './identity/users/open-session-routes.ts';
import { userRoutes } from './identity/users/user-routes.ts';
import { ReleaseHistories } from './ingest/sync/release-histories.ts';
import { sourceSettingsRoutes } from './ingest/sync/source-settings-routes.ts';
import { sourceStates } from './ingest/sync/source-states.ts';
import { SyncEvents } from './ingest/sync/sync-events.ts';
import { syncRoutes } from './ingest/sync/sync-routes.ts';
import { findClient } from './licensing/clients/client-authenticator.ts';
import { clientProtocolRoutes } from './licensing/clients/client-protocol-routes.ts';
import { exposureRoutes } from './licensing/clients/exposure-routes.ts';
import { licensedClientRoutes } from './licensing/clients/licensed-client-routes.ts';
import { bundleImportRoutes } from './operations/downloads/bundle-import-routes.ts';
import { downloadRoutes } from './operations/downloads/download-routes.ts';
import { auditHook } from './platform/audit/audit-hook.ts';
import { auditKey } from './platform/audit/audit-key.ts';
import { removeOldEntries } from './platform/audit/audit-retention.ts';
import { auditRoutes } from './platform/audit/audit-routes.ts';
import { serveConsole } from './platform/http/console-pages.ts';
import { describeEndpoints } from './platform/http/describe-endpoints.ts';
import { EventStream } from './platform/http/event-stream.ts';
import { healthRoutes } from './platform/http/health-routes.ts';
import { addressOf } from './platform/http/listen.ts';
import { registerEndpoints } from './platform/http/register-endpoints.ts';
import { requireEncryption } from './platform/http/security-headers.ts';
import { webServer } from './platform/http/web-server.ts';
import { addMail, type NewMail } from './platform/mail/mail-outbox-store.ts';
import { mailRoutes } from './platform/mail/mail-routes.ts';
import { MailTargets } from './platform/mail/mail-targets.ts';
import { metricsRoute } from './platform/metrics/metrics-route.ts';
import { liveSettings } from './platform/settings/live-settings.ts';
import { settingsRoutes } from './platform/settings/settings-routes.ts';
import { detailRoutes } from './records/details/detail-routes.ts';
import { languageMapRoutes } from './records/details/language-map-routes.ts';
import { exportRoutes } from './records/export/export-routes.ts';
import { sharedIdentifiersRoutes } from './records/identifiers/shared-identifiers-routes.ts';
import { preferenceRoutes } from './records/preferences/preference-routes.ts';
import { savedViewRoutes } from './records/preferences/saved-view-routes.ts';
import { SearchDesk } from './records/search/search-desk.ts';
import { searchRoutes } from './records/search/search-routes.ts';
import { searchTagsRoutes } from './records/tags/search-tags-routes.ts';
import { alertRoutes } from './reports/alerts/alert-routes.ts';
import { syncSummaryRoutes } from './reports/alerts/sync-summary-routes.ts';
import { dashboardRoutes } from './reports/dashboard/dashboard-routes.ts';
import type { AppParts } from './service/app-parts.ts';

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
  const settings = await liveSettings(database, config, (error) =>
    log.warn({ err: error }, 'the settings could not be read'),
  );
  app.addHook('onClose', async () => settings.stop());
  requireEncryption(app, () => settings.current().baseUrl);
  const limits = () => {
    const { sessionIdleMinutes, sessionMaxHours, secondFactorRequired } = settings.current();
    return {
      idleMs: sessionIdleMinutes * 60_000,
      maxMs: sessionMaxHours * 3_600_000,
      secondFactorRequired,
    };
  };
  const sessions = sessionsOf(database, limits, clock);
  const answer = registerEndpoints(app, {
    findSession: sessions.find,
    findApiKey,
    findClient: (token) => findClient(database, token, clock()),
    onAction: auditHook({ database, key: keyOfAudit, anchors, log, clock }),
    sessionHolds: sessions.holds,
    checkReplies: config.checkReplies,
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
  const isRequired = (userType: UserType) =>
    requiresSecondFactor(settings.current().secondFactorRequired, userType);
  twoFactorRoutes(answer, {
    database,
    box,
    sessions,
    secondFactor,
    clock,
    isRequired,
  });
  passkeyRoutes(answer, { database, passkeys, sessions, isRequired });
  ssoRoutes(answer, {
    database,
    box,
    tickets,
    clock,
    log,
    baseUrl: () => settings.current().baseUrl ?? addressOf(app),
  });
  ownPasswordRoutes(answer, { database, sessions, clock });
  passwordResetRoutes(answer, {
    database,
    sessions,
    clock,
    log,
    baseUrl: () => settings.current().baseUrl ?? addressOf(app),
    mail: sendSoon,
  });
  userRoutes(answer, {
    database,
    sessions,
    clock,
    baseUrl: () => settings.current().baseUrl ?? addressOf(app),
    onMail,
  });
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
  answer(syncEventsEndpoint, () =>
    Promise.resolve(new EventStream((signal) => events.listen(signal))),
  );
  syncRoutes(answer, { database, sync: told, feeds, states });
  sourceSettingsRoutes(answer, {
    database,
    sync: told,
    feeds,
    feedMirror: () => settings.current().feedMirror,
    log,
    clock,
  });
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
