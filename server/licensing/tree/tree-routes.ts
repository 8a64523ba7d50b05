/** Serves the published tree from its folder, and says how its publication goes. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Publishing,
  publishingEndpoint,
} from '@patch/contract/licensing/publishing-endpoint.ts';
import {
  treeFileEndpoint,
  treeHeadEndpoint,
  treeRootEndpoint,
} from '@patch/contract/licensing/tree-endpoints.ts';
import { headPath } from '@patch/contract/tree/tree-head.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { FileStream, type RouteRegistrar, Unchanged } from '../../platform/http/route.ts';
import { readPublishing } from './publishing-state-store.ts';

type Knows = (tag: string) => boolean;

export interface TreeRoutes {
  readonly database: Queryable;
  readonly clock: () => number;
  /** Null: this service publishes no tree. */
  readonly publishing: { readonly folder: string; readonly place: Publishing['place'] } | null;
}

export function treeRoutes(
  route: RouteRegistrar,
  { database, clock, publishing }: TreeRoutes,
): void {
  const published = publishing?.folder ?? null;
  route(publishingEndpoint, () => readPublishing(database, publishing?.place ?? null, clock()));
  route(treeHeadEndpoint, ({ params: { file }, knows }) => {
    if (file !== headPath) throw noFile(file);
    return readFile(published, [file], knows);
  });
  route(treeRootEndpoint, ({ params: { file }, knows }) =>
    readFile(published, ['root', file], knows),
  );
  route(treeFileEndpoint, ({ params: { epoch, list, file }, knows }) =>
    readFile(published, [epoch, list, file], knows),
  );
}

const noFile = (path: string) =>
  new AppError(
    'not_found',
    `There is no ${path} in the published catalogue. Begin with ${headPath}.`,
  );

async function readFile(
  published: string | null,
  path: readonly string[],
  knows: Knows,
): Promise<FileStream | Unchanged> {
  const name = path.join('/');
  // Names of the tree, so that no other file of the machine is read.
  if (published === null || path.some((part) => !/^[\w-][\w.-]*$/.test(part))) throw noFile(name);
  const found = await stat(join(published, ...path)).catch(() => null);
  if (found === null || !found.isFile()) throw noFile(name);
  const tag = `${found.size}.${Math.floor(found.mtimeMs)}`;
  if (knows(tag)) return new Unchanged(tag);
  const body = createReadStream(join(published, ...path), { end: Math.max(0, found.size - 1) });
  const seconds = name === headPath ? 60 : 365 * 24 * 3600;
  const last = path.at(-1) ?? name;
  return new FileStream(last, 'application/octet-stream', body, found.size, tag, seconds);
}
