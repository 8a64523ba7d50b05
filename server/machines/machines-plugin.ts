/** Registers the routes of the machines module, and prepares the first assessment. */
import type { FastifyPluginAsync } from 'fastify';
import { fastifyPlugin } from 'fastify-plugin';
import type { RecordsContext } from '../records/records-context.ts';
import { type MachineRoutes, machineRoutes } from './machine-routes.ts';
import { warmAssessment } from './warm-assessment.ts';

const registerMachines: FastifyPluginAsync<RecordsContext & MachineRoutes> = async (
  app,
  context,
) => {
  const closing = new AbortController();
  app.addHook('preClose', async () => closing.abort());
  app.addHook('onListen', async () => {
    const parts = { database: context.database, memories: context.memories, clock: Date.now };
    warmAssessment(parts, closing.signal).catch((error: unknown) => {
      if (!closing.signal.aborted)
        app.log.warn({ err: error }, 'the first assessment could not be prepared');
    });
  });
  machineRoutes(app.endpoint, context);
};

export const machinesPlugin = fastifyPlugin(registerMachines, {
  name: 'machines',
  dependencies: ['platform'],
  encapsulate: true,
});
