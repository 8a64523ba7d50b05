/** Routes of the operations module: downloads and imported bundles. */
import type { FastifyPluginAsync } from 'fastify';
import { fastifyPlugin } from 'fastify-plugin';
import type { PlatformContext } from '../platform/platform-context.ts';
import { bundleImportRoutes } from './downloads/bundle-import-routes.ts';
import { downloadRoutes } from './downloads/download-routes.ts';
import type { Downloads } from './downloads/start-downloads.ts';

export interface OperationsContext extends PlatformContext {
  /** Null: this process makes no downloads. */
  readonly downloads: Downloads | null;
}

const registerOperations: FastifyPluginAsync<OperationsContext> = async (app, context) => {
  downloadRoutes(app.endpoint, context);
  bundleImportRoutes(app.endpoint, context);
};

export const operationsPlugin = fastifyPlugin(registerOperations, {
  name: 'operations',
  dependencies: ['platform'],
  encapsulate: true,
});
