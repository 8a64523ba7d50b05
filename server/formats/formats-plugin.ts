/** The routes of the formats module: the catalogue in the formats of other tools. */
import type { FastifyPluginAsync } from 'fastify';
import { fastifyPlugin } from 'fastify-plugin';
import { MadeFiles } from '../platform/files/made-files.ts';
import type { RecordsContext } from '../records/records-context.ts';
import { csafRoutes } from './csaf/csaf-routes.ts';
import { type OsvRoutes, osvFileRoutes, osvRoutes } from './osv/osv-routes.ts';
import { ErrataRepositories } from './updateinfo/errata-repositories.ts';
import { updateinfoRoutes } from './updateinfo/updateinfo-routes.ts';

export interface FormatsContext extends RecordsContext, OsvRoutes {
  /** Folder of the files that are made; null: a temporary one. */
  readonly formatsFolder: string | null;
}

const registerFormats: FastifyPluginAsync<FormatsContext> = async (app, context) => {
  const { database, formatsFolder: folder, log } = context;
  const files = new MadeFiles({ folder, log });
  osvRoutes(app.endpoint, context);
  osvFileRoutes(app.endpoint, { database, files });
  csafRoutes(app.endpoint, { ...context, files });
  updateinfoRoutes(app.endpoint, {
    database,
    repositories: new ErrataRepositories({ database, files }),
  });
};

export const formatsPlugin = fastifyPlugin(registerFormats, {
  name: 'formats',
  dependencies: ['platform'],
  encapsulate: true,
});
