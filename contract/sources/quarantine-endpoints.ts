/** Accepts or rejects a quarantined change. The waiting changes are part of their source's state (sync-endpoints.ts). */
import { sourceKeys } from '@patch/catalogue/sources.ts';
import { z } from 'zod';
import { defineEndpoint } from '../base/endpoint.ts';
import { QuarantineKey } from './quarantine-entry.ts';
import { Run } from './sync-endpoints.ts';

const decision = {
  tag: 'Sync',
  method: 'POST',
  access: 'admin',
  scope: 'manage',
  params: z.object({ source: z.enum(sourceKeys) }),
  body: QuarantineKey,
  reply: Run,
  status: 202,
} as const;

export const acceptQuarantineEndpoint = defineEndpoint({
  ...decision,
  name: 'accept_quarantine',
  summary:
    'Accept quarantined changes: starts a run that withdraws or changes the records, if the vendor still publishes the same',
  path: '/patchsync/sources/{source}/quarantine/accept',
});

export const rejectQuarantineEndpoint = defineEndpoint({
  ...decision,
  name: 'reject_quarantine',
  summary: 'Reject quarantined changes: the records stay as they are; starts a run that applies it',
  path: '/patchsync/sources/{source}/quarantine/reject',
});
