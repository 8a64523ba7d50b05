/** How the publication of the catalogue as signed files goes. */
import { z } from 'zod';
import { defineEndpoint } from '../base/endpoint.ts';

const publishingStates = ['off', 'waiting', 'published', 'failed', 'silent'] as const;
const time = z.number().int().nullable();

export const Publishing = z.object({
  state: z
    .enum(publishingStates)
    .describe(
      'off: PUBLISH_TO is not set. waiting: it was not published yet. failed: the last attempt did not reach readers. silent: no process has tried for hours',
    ),
  place: z.enum(['service', 'folder', 'bucket']).nullable().describe('Where it is published'),
  triedAt: time.describe('When it was last compared with what is published'),
  publishedAt: time.describe('When all that was known was last published'),
  reason: z.string().nullable().describe('Why the last attempt failed, and what to do'),
});
export type Publishing = z.infer<typeof Publishing>;

export const publishingEndpoint = defineEndpoint({
  tag: 'Downloads',
  access: 'admin',
  scope: 'manage',
  name: 'publishing',
  summary: 'Whether the catalogue is published as signed files, and why not',
  method: 'GET',
  path: '/downloads/publishing',
  reply: Publishing,
});
