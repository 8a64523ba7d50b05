/** The routes of the machines module: which patches a machine lacks. */
import type { FastifyPluginAsync } from 'fastify';
import { fastifyPlugin } from 'fastify-plugin';
import type { RecordsContext } from '../records/records-context.ts';
import { machineRoutes } from './machine-routes.ts';

const registerMachines: FastifyPluginAsync<RecordsContext> = async (app, context) => {
  machineRoutes(app.endpoint, context);
};

export const machinesPlugin = fastifyPlugin(registerMachines, {
  name: 'machines',
  dependencies: ['platform'],
  encapsulate: true,
});
