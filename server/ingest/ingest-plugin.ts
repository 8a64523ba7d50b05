/** The ingest module: its context of feeds, states of the sources and the control of syncs, and its routes. */

import type { AnyFeed } from '@patch/catalogue/definition/feed.ts';
import { feeds } from '@patch/catalogue/feeds.ts';
import type { SourceKey } from '@patch/catalogue/sources.ts';
import type { SourceState } from '@patch/contract/sources/sync-endpoints.ts';
import type { FastifyPluginAsync } from 'fastify';
import { fastifyPlugin } from 'fastify-plugin';
import type { PlatformContext } from '../platform/platform-context.ts';
import { SyncEvents } from './runs/sync-events.ts';
import { mirrorTestRoutes } from './sources/mirror-test-routes.ts';
import { ReleaseHistories } from './sources/release-histories.ts';
import { sourceSettingsRoutes } from './sources/source-settings-routes.ts';
import { readSourceStates } from './sources/source-states.ts';
import type { SyncControl } from './sync/start-sync.ts';
import { quarantineRoutes, syncEventRoutes, syncRoutes } from './sync/sync-routes.ts';

export interface IngestContext extends PlatformContext {
  readonly feeds: Partial<Record<SourceKey, AnyFeed>>;
  readonly states: () => Promise<SourceState[]>;
  readonly events: SyncEvents;
  readonly sync: SyncControl;
}

export function ingestContext(platform: PlatformContext, sync: SyncControl): IngestContext {
  const { database, notifications, clock, log } = platform;
  const histories = new ReleaseHistories(database);
  const states = () => readSourceStates({ database, feeds, clock, histories });
  const events = new SyncEvents({
    states,
    notifications,
    onError: (error) => log.warn({ err: error }, 'the state of the sources could not be read'),
  });
  return { ...platform, feeds, states, events, sync };
}

const registerIngest: FastifyPluginAsync<IngestContext> = async (app, context) => {
  syncEventRoutes(app.endpoint, context);
  syncRoutes(app.endpoint, context);
  quarantineRoutes(app.endpoint, context);
  sourceSettingsRoutes(app.endpoint, {
    ...context,
    feedMirror: () => context.settings.current().feedMirror,
  });
  mirrorTestRoutes(app.endpoint, {
    ...context,
    feedMirror: () => context.settings.current().feedMirror,
    isMirrorFixed: context.settings.fixed.feedMirror !== undefined,
  });
};

export const ingestPlugin = fastifyPlugin(registerIngest, {
  name: 'ingest',
  dependencies: ['platform'],
  encapsulate: true,
});
