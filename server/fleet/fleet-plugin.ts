/** Routes of the fleet module: machines that clients report, and what they miss. */
import type { FastifyPluginAsync } from 'fastify';
import { fastifyPlugin } from 'fastify-plugin';
import type { MachineRoutes } from '../machines/machine-routes.ts';
import type { RecordsContext } from '../records/records-context.ts';
import type { Intake } from './intake/intake.ts';
import { machineReportRoutes } from './intake/machine-report-routes.ts';
import { machineListRoutes } from './machine-list-routes.ts';

export interface FleetOptions extends RecordsContext, MachineRoutes {
  readonly intake: Intake;
}

const registerFleet: FastifyPluginAsync<FleetOptions> = async (app, context) => {
  machineReportRoutes(app.endpoint, context);
  machineListRoutes(app.endpoint, context);
};

export const fleetPlugin = fastifyPlugin(registerFleet, {
  name: 'fleet',
  dependencies: ['platform'],
  encapsulate: true,
});
