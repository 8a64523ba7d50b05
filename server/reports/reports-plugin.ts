/** Routes of the reports module: the dashboard, months, alerts, Atom feeds and the sync summary. */
import type { FastifyPluginAsync } from 'fastify';
import { fastifyPlugin } from 'fastify-plugin';
import type { RecordsContext } from '../records/records-context.ts';
import { alertRoutes } from './alerts/alert-routes.ts';
import { syncSummaryRoutes } from './alerts/sync-summary-routes.ts';
import { atomDocumentRoute } from './atom/atom-document-route.ts';
import { atomFeedRoutes } from './atom/atom-feed-routes.ts';
import { dashboardRoutes } from './dashboard/dashboard-routes.ts';
import { monthRoutes } from './month/month-routes.ts';

const registerReports: FastifyPluginAsync<RecordsContext> = async (app, context) => {
  dashboardRoutes(app.endpoint, context);
  monthRoutes(app.endpoint, context);
  alertRoutes(app.endpoint, context);
  atomFeedRoutes(app.endpoint, context);
  atomDocumentRoute(app.endpoint, context);
  syncSummaryRoutes(app.endpoint, context);
};

export const reportsPlugin = fastifyPlugin(registerReports, {
  name: 'reports',
  dependencies: ['platform'],
  encapsulate: true,
});
