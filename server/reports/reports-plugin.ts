/** Routes of the reports module: the dashboard, alerts and the sync summary. */
import type { FastifyPluginAsync } from 'fastify';
import { fastifyPlugin } from 'fastify-plugin';
import type { RecordsContext } from '../records/records-context.ts';
import { alertRoutes } from './alerts/alert-routes.ts';
import { syncSummaryRoutes } from './alerts/sync-summary-routes.ts';
import { dashboardRoutes } from './dashboard/dashboard-routes.ts';

const registerReports: FastifyPluginAsync<RecordsContext> = async (app, context) => {
  dashboardRoutes(app.endpoint, context);
  alertRoutes(app.endpoint, context);
  syncSummaryRoutes(app.endpoint, context);
};

export const reportsPlugin = fastifyPlugin(registerReports, {
  name: 'reports',
  dependencies: ['platform'],
  encapsulate: true,
});
