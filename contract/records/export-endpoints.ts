/**
 * Exports all rows of a search as a file with the chosen columns. The caller requests a ticket with the search and then fetches
 * the file like any download.
 */
import { z } from 'zod';
import { TicketParams } from '../base/common-schemas.ts';
import { defineEndpoint } from '../base/endpoint.ts';
import { SearchBody } from './search-endpoint.ts';

export const exportFormats = ['csv', 'json'] as const;
export type ExportFormat = (typeof exportFormats)[number];

export const exportTicketEndpoint = defineEndpoint({
  name: 'export_ticket',
  summary: 'Request the rows of a search as a file',
  tag: 'Catalogue',
  method: 'POST',
  path: '/export',
  access: 'standard',
  machines: 'own',
  scope: 'read',
  body: z.strictObject({
    list: z.string().max(100),
    format: z.enum(exportFormats),
    columns: z.array(z.string().max(100)).min(1).max(100).describe('Fields in output order'),
    sort: z.string().max(100).optional().describe('One field, with a leading minus for descending'),
    search: SearchBody,
  }),
  /** `path` is below /api, and valid once within a minute, without a token. */
  reply: z.object({ path: z.string(), fileName: z.string(), totalCount: z.number().int() }),
  status: 201,
});

export const exportFileEndpoint = defineEndpoint({
  name: 'export_file',
  summary: 'The file of a ticket, streamed: UTF-8, dates in ISO 8601',
  tag: 'Catalogue',
  method: 'GET',
  path: '/export/{ticket}',
  secretParams: ['ticket'],
  once: true,
  access: 'public',
  params: TicketParams,
  reply: z.string(),
  streams: 'file',
});
