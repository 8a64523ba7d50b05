/** Whether the service is ready, for load balancers and for whoever started it. */
import { z } from 'zod';
import { defineCall } from './call.ts';
import { noBody, noParams, noQuery } from './no-input.ts';

export const healthCall = defineCall({
  name: 'health',
  summary: 'Answers 200 when the service is ready, 503 when it is not',
  tag: 'Service',
  method: 'GET',
  path: '/health',
  access: 'public',
  params: noParams,
  query: noQuery,
  body: noBody,
  reply: z.object({ status: z.literal('ready'), version: z.string(), database: z.enum(['embedded', 'server']) }),
});
