/** Reports whether the service is alive and ready, for load balancers, supervisors and operators. */
import { z } from 'zod';
import { defineEndpoint } from '../base/endpoint.ts';

const probe = { tag: 'Service', method: 'GET', access: 'public' } as const;
const count = z.number().int();
const Ready = z.object({
  status: z.literal('ready'),
  version: z.string(),
  database: z.enum(['embedded', 'server']),
  /** Present only with DATABASE_READ_URLS: the number of its replicas, and of those in each state. */
  readReplicas: z.object({ named: count, asked: count, behind: count, leftOut: count }).optional(),
});

export const healthEndpoint = defineEndpoint({
  ...probe,
  name: 'health',
  summary: 'Answers 200 when the service is ready, 503 when it is not',
  path: '/health',
  reply: Ready,
});

export const liveEndpoint = defineEndpoint({
  ...probe,
  name: 'health_live',
  summary:
    'Answers 200 as long as the process is alive, whatever the state of the database. Restart the process when it does not answer',
  path: '/health/live',
  reply: z.object({ status: z.literal('live'), version: z.string() }),
});

export const readyEndpoint = defineEndpoint({
  ...probe,
  name: 'health_ready',
  summary:
    'Answers 503 while the service starts or stops, or its database is unavailable. Route no requests here meanwhile',
  path: '/health/ready',
  reply: Ready,
});
