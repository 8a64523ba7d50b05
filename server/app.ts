/** Builds the HTTP application with the plugins of all modules, without listening. */
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { fleetPlugin } from './fleet/fleet-plugin.ts';
import { formatsPlugin } from './formats/formats-plugin.ts';
import { identityPlugin } from './identity/identity-plugin.ts';
import { ingestPlugin } from './ingest/ingest-plugin.ts';
import { licensingPlugin } from './licensing/licensing-plugin.ts';
import { machinesPlugin } from './machines/machines-plugin.ts';
import { operationsPlugin } from './operations/operations-plugin.ts';
import { serveConsole } from './platform/http/console-pages.ts';
import { describeEndpoints } from './platform/http/describe-endpoints.ts';
import { getAddress } from './platform/http/listen.ts';
import { webServer } from './platform/http/web-server.ts';
import { platformPlugin } from './platform/platform-plugin.ts';
import { recordsPlugin } from './records/records-plugin.ts';
import { reportsPlugin } from './reports/reports-plugin.ts';
import { appContext } from './service/app-context.ts';
import type { AppParts } from './service/app-parts.ts';

const builtConsole = fileURLToPath(new URL('../console/dist', import.meta.url));

export async function buildApp(parts: AppParts): Promise<FastifyInstance> {
  const app = await webServer({ log: parts.log, trustProxy: parts.config.trustProxy });
  const context = await appContext(parts, () => getAddress(app));
  await app.register(platformPlugin, context);
  await app.register(identityPlugin, { ...context, database: context.pools.signIns });
  await app.register(recordsPlugin, context);
  await app.register(ingestPlugin, context);
  await app.register(licensingPlugin, context);
  await app.register(operationsPlugin, context);
  await app.register(reportsPlugin, context);
  await app.register(machinesPlugin, context);
  await app.register(fleetPlugin, context);
  await app.register(formatsPlugin, context);
  describeEndpoints(app);
  await serveConsole(app, parts.consoleFolder ?? builtConsole);
  return app;
}
