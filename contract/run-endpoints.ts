/** Past runs: their list, the vendor records that a run skipped, and the records that it changed. */
import { sourceKeys } from '@patch/catalogue/sources.ts';
import { z } from 'zod';
import { defineEndpoint } from './endpoint.ts';
import { integerText } from './integer-text.ts';
import { noBody } from './no-input.ts';
import { Run, Source, when } from './sync-endpoints.ts';

const AuditPage = z.strictObject({
  offset: integerText.default(0),
  size: integerText.pipe(z.number().min(1).max(1000)).default(1000),
});

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

export const fetchAuditEndpoint = defineEndpoint({
  name: 'fetch_audit',
  summary: 'Past runs of a source, or of all with `all`, newest first',
  tag: 'Sync',
  method: 'GET',
  path: '/windows/fetchAudit/{type}',
  access: 'standard',
  scope: 'read',
  params: z.object({ type: z.enum([...sourceKeys, 'all']) }),
  query: AuditPage,
  body: noBody,
  reply: z.object({ objList: z.array(AuditEntry), totalCount: z.number().int() }),
});

const RunId = z.object({
  runId: integerText,
});

export const RunRejection = z.object({
  id: z.number().int(),
  record: z.string(),
  reason: z.string(),
  url: z.string(),
});

export const runRejectionsEndpoint = defineEndpoint({
  name: 'run_rejections',
  summary: 'The vendor records that a run skipped, each with the reason',
  tag: 'Sync',
  method: 'GET',
  path: '/patchsync/runs/{runId}/rejections',
  access: 'standard',
  scope: 'read',
  params: RunId,
  query: AuditPage,
  body: noBody,
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
  name: 'run_changes',
  summary: 'The records that a run added, changed and withdrew',
  tag: 'Sync',
  method: 'GET',
  path: '/patchsync/runs/{runId}/changes',
  access: 'standard',
  scope: 'read',
  params: RunId,
  query: AuditPage.extend({
    kind: z
      .string()
      .transform((words) => words.split(','))
      .pipe(z.array(ChangeKind))
      .optional()
      .describe(`Only changes of these kinds, separated by commas: ${changeKinds.join(', ')}`),
  }),
  body: noBody,
  reply: z.object({ objList: z.array(RunChange), totalCount: z.number().int() }),
});
