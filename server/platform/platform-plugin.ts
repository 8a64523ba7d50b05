/** Registers the base of all other plugins: metrics, security headers, `app.endpoint`, the audit log and the platform's routes. */
import type { SourceState } from '@patch/contract/sources/sync-endpoints.ts';
import type { FastifyPluginAsync } from 'fastify';
import { fastifyPlugin } from 'fastify-plugin';
import type { Registry } from 'prom-client';
import { auditHook } from './audit/audit-hook.ts';
import { auditRoutes } from './audit/audit-routes.ts';
import { removeOldEntries } from './audit/service-entry.ts';
import { channelRoutes } from './channels/channel-routes.ts';
import { ChannelTargets } from './channels/channel-targets.ts';
import { eventRoutes } from './events/event-routes.ts';
import { removeOldEvents } from './events/event-store.ts';
import type { Authenticators } from './http/authenticate.ts';
import { cleanPeriodically } from './http/clean-periodically.ts';
import { endpointPlugin } from './http/endpoint-plugin.ts';
import type { EventTimes } from './http/event-stream.ts';
import { healthRoutes, type ServicePhase } from './http/health-routes.ts';
import { requireEncryption } from './http/security-headers.ts';
import { readEmailConfig } from './mail/email-config-store.ts';
import { mailRoutes } from './mail/mail-routes.ts';
import { MailTargets } from './mail/mail-targets.ts';
import { metricsRoute } from './metrics/metrics-route.ts';
import type { PlatformContext } from './platform-context.ts';
import { settingsRoutes } from './settings/settings-routes.ts';

export interface PlatformOptions extends PlatformContext {
  /** Authenticators of higher modules, which know sessions, API keys and licensed clients. */
  readonly authenticators: Required<Authenticators>;
  /** Returns true while a session is valid. The check does not count as activity. */
  readonly isSessionValid: (session: string) => Promise<boolean>;
  /** States of the sources, for metrics. */
  readonly states: () => Promise<readonly SourceState[]>;
  /** The phase of the service, for load balancers. */
  readonly phase: () => ServicePhase;
  /** METRICS_TOKEN; null if not set. */
  readonly metricsToken: string | null;
  /** Metrics of modules above the platform. */
  readonly moreMetrics?: Registry;
  readonly eventTimes?: EventTimes;
}

const registerPlatform: FastifyPluginAsync<PlatformOptions> = async (app, context) => {
  const { database, config, log, clock, settings, auditKey: key, anchors } = context;
  app.addHook('onClose', async () => settings.stop());
  metricsRoute(app, {
    ...context,
    token: context.metricsToken,
    findApiKey: context.authenticators.findApiKey,
  });
  requireEncryption(app, () => settings.current().baseUrl);
  await app.register(endpointPlugin, {
    ...context.authenticators,
    onAction: auditHook({ database: context.pools.signIns, key, anchors, log, clock }),
    isSessionValid: context.isSessionValid,
    checkReplies: config.checkReplies,
    ...(context.eventTimes && { eventTimes: context.eventTimes }),
  });

  healthRoutes(app.endpoint, context);
  auditRoutes(app.endpoint, { ...context, key });
  settingsRoutes(app.endpoint, context, {
    sendsMail: async () => (await readEmailConfig(context.database)) !== null,
  });
  eventRoutes(app.endpoint, context);
  channelRoutes(app.endpoint, {
    ...context,
    targets: new ChannelTargets(config.channelTargets ?? []),
  });
  mailRoutes(app.endpoint, { ...context, targets: new MailTargets(config.mailTargets) });
  cleanPeriodically(app, log, [
    () => removeOldEntries(database, key, settings.current().auditKeptDays, clock()),
    () => removeOldEvents(database, clock()),
  ]);
};

/** The plugin is not encapsulated, so that later plugins have its hooks and `app.endpoint`. */
export const platformPlugin = fastifyPlugin(registerPlatform, { name: 'platform' });
