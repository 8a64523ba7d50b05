/** The routes of the ingest module: syncs, their events, and the settings of sources. */
import type { FastifyPluginAsync } from 'fastify';
import { fastifyPlugin } from 'fastify-plugin';
import type { IngestContext } from './ingest-context.ts';
import { mirrorTestRoutes } from './sync/mirror-test-routes.ts';
import { quarantineRoutes } from './sync/quarantine-routes.ts';
import { sourceSettingsRoutes } from './sync/source-settings-routes.ts';
import { syncEventRoutes } from './sync/sync-event-routes.ts';
import { syncRoutes } from './sync/sync-routes.ts';

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
