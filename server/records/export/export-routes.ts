/** Exports of a search in two calls: the first checks and counts the search and returns a ticket, the second streams the file. */

import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import type { CatalogueList } from '@patch/catalogue/lists.ts';
import { sha256Hex } from '@patch/catalogue/parsers/sha256.ts';
import type { WireRow } from '@patch/contract/base/row-schema.ts';
import {
  exportFileEndpoint,
  exportTicketEndpoint,
} from '@patch/contract/records/export-endpoints.ts';
import { z } from 'zod';
import type { Database } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { exportText, exportTypes } from '../../platform/file-export/export-text.ts';
import { addTicket, takeTicket } from '../../platform/file-export/export-ticket-store.ts';
import { requireUser } from '../../platform/http/require-user.ts';
import { FileStream, type RouteRegistrar } from '../../platform/http/route.ts';
import type { Sight } from '../../platform/http/sight.ts';
import { readSearch, type Search } from '../criteria/search-request.ts';
import { assertKnownFields, getKnownList } from '../preferences/known-list.ts';
import type { SearchCaller } from '../search/search-limit.ts';
import { getSearchCaller, type SearchService } from '../search/search-service.ts';

const ticketTtlMs = 60_000;
/** Exports with at most this many rows take one search instead of pages. */
const maxRowsAtOnce = 1000;

type ExportRequest = z.output<typeof exportTicketEndpoint.body>;

export interface ExportParts {
  readonly database: Database;
  readonly clock: () => number;
  readonly searchService: SearchService;
}

/** The data of a ticket: the request, and whether the caller may read restricted fields, which a key without the scope may not. */
const TicketRequest = z.object({ request: exportTicketEndpoint.body, restricted: z.boolean() });

export function exportRoutes(
  route: RouteRegistrar,
  { database, clock, searchService }: ExportParts,
): void {
  route(exportTicketEndpoint, async (request) => {
    const { sight } = request;
    const { list, search } = readExport(request.body, sight);
    const { total } = await searchService.find(getSearchCaller(request), { ...search, size: 1 });
    const ticket = randomBytes(32).toString('base64url');
    const now = clock();
    const { id } = requireUser(request);
    const ticketRequest = { request: request.body, restricted: sight.restricted };
    await addTicket(
      database,
      {
        ticketHash: sha256Hex(ticket),
        userId: id,
        request: ticketRequest,
        expiresTime: now + ticketTtlMs,
      },
      now,
    );
    return {
      path: `/export/${ticket}`,
      fileName: createFileName(list, request.body, now),
      totalCount: total,
    };
  });

  route(exportFileEndpoint, async ({ params: { ticket }, findSight, signal }) => {
    const now = clock();
    const taken = await takeTicket(database, sha256Hex(ticket), now);
    const ticketRequest = TicketRequest.safeParse(taken?.request);
    const present = taken && (await findSight(exportTicketEndpoint, taken.userId));
    if (
      taken === null ||
      !ticketRequest.success ||
      present === null ||
      (ticketRequest.data.restricted && !present.restricted)
    )
      throw new AppError(
        'no_such_export',
        'This download link has been used or has expired. Export again.',
      );
    const { request, restricted } = ticketRequest.data;
    const { list, search } = readExport(request, { ...present, restricted });
    const { format, columns } = request;
    const text = exportText(
      format,
      list,
      columns,
      readRows(searchService, { user: String(taken.userId), signal }, search),
    );
    return new FileStream(
      createFileName(list, request, now),
      exportTypes[format],
      Readable.from(text),
    );
  });
}

async function* readRows(
  searchService: SearchService,
  caller: SearchCaller,
  search: Search,
): AsyncGenerator<readonly WireRow[]> {
  const { rows, total } = await searchService.find(caller, {
    ...search,
    offset: 0,
    size: maxRowsAtOnce,
  });
  if (total > maxRowsAtOnce) yield* searchService.pages(caller, search);
  else if (total > 0) yield JSON.parse(`[${rows}]`) as readonly WireRow[];
}

function readExport(
  { list: key, columns, sort, search: body }: ExportRequest,
  sight: Sight,
): { list: CatalogueList; search: Search } {
  const list = getKnownList(key);
  assertKnownFields(list, columns);
  if (sort?.includes(','))
    throw new AppError(
      'several_sorts',
      'An export is sorted by one field. Name one, with a leading minus for descending.',
    );
  // Passes the default order explicitly, so that records whose name equals the keyword do not come first.
  return {
    list,
    search: readSearch(
      list,
      { offset: 0, size: maxRowsAtOnce, sort: sort ?? list.defaultSort },
      body,
      sight,
    ),
  };
}

/** Returns a file name such as `almalinux-patch-2026-11-21T0507Z.csv`. */
function createFileName({ key }: CatalogueList, { format }: ExportRequest, now: number): string {
  const minute = new Date(now).toISOString().slice(0, 16).replace(':', '');
  return `${key.replaceAll('_', '-')}-${minute}Z.${format}`;
}
