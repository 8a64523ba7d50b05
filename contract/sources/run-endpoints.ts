/** Past runs: their list, the vendor records that a run skipped, and the records that it changed. */
import { sourceKeys } from '@patch/catalogue/sources.ts';
import { z } from 'zod';
import { integerText, PageQuery } from '../base/common-schemas.ts';
import { defineEndpoint } from '../base/endpoint.ts';
import { Run, Source, when } from './sync-endpoints.ts';

/** A past run in the audit's format: success or failed, with the run itself. */
export const AuditEntry = z.object({
  id: z.number().int(),
  time: when,
  patchCount: z.number().int().describe('Records added, changed and withdrawn'),
  type: Source,
  status: z.enum(['success', 'failed', 'running']),
  run: Run,
});

export type AuditEntry = z.infer<typeof AuditEntry>;

const users = { tag: 'Sync', access: 'standard', machines: 'none', scope: 'read' } as const;

export const fetchAuditEndpoint = defineEndpoint({
  ...users,
  name: 'fetch_audit',
  summary: 'Past runs of a source, or of all with `all`, newest first',
  method: 'GET',
  path: '/windows/fetchAudit/{type}',
  params: z.object({ type: z.enum([...sourceKeys, 'all']) }),
  query: PageQuery,
  reply: z.object({ objList: z.array(AuditEntry), totalCount: z.number().int() }),
});

const RunId = z.object({ runId: integerText });

export const RunRejection = z.object({
  id: z.number().int(),
  record: z.string(),
  reason: z.string(),
  url: z.string(),
});

export const runRejectionsEndpoint = defineEndpoint({
  ...users,
  name: 'run_rejections',
  summary: 'The vendor records that a run skipped, each with the reason',
  method: 'GET',
  path: '/patchsync/runs/{runId}/rejections',
  params: RunId,
  query: PageQuery,
  reply: z.object({ objList: z.array(RunRejection), totalCount: z.number().int() }),
});

export const changeKinds = ['added', 'changed', 'withdrawn', 'returned'] as const;

const ChangeKind = z.enum(changeKinds);

export const RunChange = z.object({
  id: z.number().int(),
  list: z.string(),
  rowId: z.number().int(),
  /** The record's name for people. */
  identity: z.string(),
  kind: ChangeKind,
  /** For `changed`: the fields that differ, each with its old and new value. */
  fields: z.record(z.string(), z.object({ was: z.unknown(), is: z.unknown() })),
});

export type RunChange = z.infer<typeof RunChange>;

export const runChangesEndpoint = defineEndpoint({
  ...users,
  name: 'run_changes',
  summary: 'The records that a run added, changed and withdrew',
  method: 'GET',
  path: '/patchsync/runs/{runId}/changes',
  params: RunId,
  query: PageQuery.extend({
    kind: z
      .string()
      .transform((words) => words.split(','))
      .pipe(z.array(ChangeKind))
      .optional()
      .describe(`Only changes of these kinds, separated by commas: ${changeKinds.join(', ')}`),
  }),
  reply: z.object({ objList: z.array(RunChange), totalCount: z.number().int() }),
});
