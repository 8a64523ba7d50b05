/** The calls of osv.dev: https://google.github.io/osv.dev/api/ */
import { z } from 'zod';
import { defineEndpoint } from '../base/endpoint.ts';

/** As osv.dev has it. */
export const maxOsvQueries = 1000;

const text = z.string().max(4096);

export const OsvQueryBody = z.object({
  commit: text.optional(),
  version: text.optional().describe('Without one all advisories of the package are returned'),
  package: z
    .object({
      name: text.optional(),
      ecosystem: text.optional().describe('AlmaLinux:9'),
      purl: text.optional().describe('pkg:rpm/almalinux/bash@4.4.20-4.el8_6?distro=almalinux-8'),
    })
    .optional(),
  page_token: text.optional(),
});
export type OsvQueryBody = z.infer<typeof OsvQueryBody>;

const OsvDocument = z
  .record(z.string(), z.unknown())
  .describe('A record of the OSV schema: https://ossf.github.io/osv-schema/');

const nextPageToken = z.string().optional().describe('Absent on the last page');

const osv = {
  tag: 'Open formats',
  access: 'standard',
  machines: 'none',
  scope: 'formats',
  errors: 'rpc',
} as const;

export const osvQueryEndpoint = defineEndpoint({
  ...osv,
  name: 'osv_query',
  summary: 'OSV records that affect a package at a version',
  method: 'POST',
  path: '/osv/v1/query',
  reads: true,
  body: OsvQueryBody,
  reply: z.object({ vulns: z.array(OsvDocument).optional(), next_page_token: nextPageToken }),
});

export const osvBatchEndpoint = defineEndpoint({
  ...osv,
  name: 'osv_query_batch',
  summary: 'Ids of OSV records for up to 1,000 packages, in the order of the queries',
  method: 'POST',
  path: '/osv/v1/querybatch',
  reads: true,
  body: z.object({
    queries: z
      .array(OsvQueryBody)
      .max(maxOsvQueries, `Too many queries: at most ${maxOsvQueries}.`),
  }),
  maxBodyBytes: 4 * 1024 * 1024,
  reply: z.object({
    results: z.array(
      z.object({
        vulns: z.array(z.object({ id: z.string(), modified: z.string() })).optional(),
        next_page_token: nextPageToken,
      }),
    ),
  }),
});

export const osvRecordEndpoint = defineEndpoint({
  ...osv,
  name: 'osv_record',
  summary: 'An OSV record by its id; withdrawn ones too',
  method: 'GET',
  path: '/osv/v1/vulns/{id}',
  params: z.object({ id: z.string().max(200) }),
  reply: OsvDocument,
});
