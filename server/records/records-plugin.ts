/** The routes of the records module: searches, details, exports, preferences and saved views. */
import { catalogueLists } from '@patch/catalogue/lists.ts';
import type { FastifyPluginAsync } from 'fastify';
import { fastifyPlugin } from 'fastify-plugin';
import { allPatches } from '../platform/database/records/record-index-row.ts';
import { checkpointRoutes } from './checkpoints/checkpoint-routes.ts';
import { detailRoutes, languageMapRoutes } from './details/detail-routes.ts';
import { exportRoutes } from './export/export-routes.ts';
import { sharedIdentifiersRoutes } from './identifiers/shared-identifiers-routes.ts';
import { getKeywordTexts } from './memory/memory-search.ts';
import { searchMemoryRoutes } from './memory/search-memory-routes.ts';
import { preferenceRoutes } from './preferences/preference-routes.ts';
import { savedViewRoutes } from './preferences/saved-view-routes.ts';
import type { RecordsContext } from './records-context.ts';
import { searchRoutes } from './search/search-routes.ts';
import { summaryRoutes } from './summary/summary-service.ts';
import { searchTagsRoutes } from './tags/search-tags-routes.ts';
import { vulnerabilityRoutes } from './vulnerabilities/vulnerability-routes.ts';

const registerRecords: FastifyPluginAsync<RecordsContext> = async (app, context) => {
  // Reads lists into memory at the start, so that the first search does not wait for a million records.
  const closing = new AbortController();
  app.addHook('preClose', async () => closing.abort());
  app.addHook('onListen', async () => {
    const begun = performance.now();
    const lists = [allPatches, ...catalogueLists.filter((list) => list !== allPatches)];
    context.memories.preload(lists, getKeywordTexts, closing.signal).then(
      () =>
        app.log.info(
          {
            megabytes: Math.round(context.memories.bytes / 1024 / 1024),
            ms: Math.round(performance.now() - begun),
          },
          'lists were read into memory',
        ),
      (error: unknown) => {
        if (!closing.signal.aborted)
          app.log.warn({ err: error }, 'the lists could not be read into memory');
      },
    );
  });
  searchRoutes(app.endpoint, context);
  searchMemoryRoutes(app.endpoint, context);
  summaryRoutes(app.endpoint, context);
  detailRoutes(app.endpoint, context);
  languageMapRoutes(app.endpoint);
  searchTagsRoutes(app.endpoint, context);
  exportRoutes(app.endpoint, context);
  sharedIdentifiersRoutes(app.endpoint, context);
  vulnerabilityRoutes(app.endpoint, context);
  checkpointRoutes(app.endpoint, context);
  preferenceRoutes(app.endpoint, context);
  savedViewRoutes(app.endpoint, context);
};

export const recordsPlugin = fastifyPlugin(registerRecords, {
  name: 'records',
  dependencies: ['platform'],
  encapsulate: true,
});
