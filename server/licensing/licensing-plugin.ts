/** Routes of the licensing module: the client registry, missing updates, and the calls of licensed clients. */
import type { FastifyPluginAsync } from 'fastify';
import { fastifyPlugin } from 'fastify-plugin';
import type { RecordsContext } from '../records/records-context.ts';
import type { ProtocolContext } from './clients/client-context.ts';
import { clientProtocolRoutes } from './clients/client-protocol-routes.ts';
import { exposureRoutes, licensedClientRoutes } from './clients/licensed-client-routes.ts';
import { decisionRoutes } from './rings/decision-routes.ts';
import { ringRoutes } from './rings/ring-routes.ts';
import { ruleRoutes } from './rings/rule-routes.ts';
import { type TreeRoutes, treeRoutes } from './tree/tree-routes.ts';

export type LicensingContext = RecordsContext & ProtocolContext & TreeRoutes;

const registerLicensing: FastifyPluginAsync<LicensingContext> = async (app, context) => {
  app.addHook('onClose', () => context.positions.flush());
  licensedClientRoutes(app.endpoint, context);
  exposureRoutes(app.endpoint, context);
  clientProtocolRoutes(app.endpoint, context);
  treeRoutes(app.endpoint, context);
  ringRoutes(app.endpoint, context);
  decisionRoutes(app.endpoint, context);
  ruleRoutes(app.endpoint, context);
};

export const licensingPlugin = fastifyPlugin(registerLicensing, {
  name: 'licensing',
  dependencies: ['platform'],
  encapsulate: true,
});
