/** Metrics of this process and of its requests. */
import { endpoints } from '@patch/contract/endpoints.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { routePath } from '../http/route.ts';

const byRoute = new Map(endpoints.map((call) => [`${call.method} ${routePath(call)}`, call]));

export function measureRequests(app: FastifyInstance, registry: Registry): void {
  const registers = [registry];
  const durations = new Histogram({
    name: 'patch_http_request_duration_seconds',
    help: 'From the request to the end of its answer, by call and status; pages and files of the console are the call "other"',
    labelNames: ['call', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const open = new Gauge({
    name: 'patch_http_requests_open',
    help: 'Requests that are being answered, open streams of events included',
    registers,
  });

  app.addHook('onRequest', async (_request, reply) => {
    open.inc();
    // A caller that disconnects ends the request too, although its response never ends.
    reply.raw.once('close', () => open.dec());
  });
  app.addHook('onResponse', async (request, reply) => {
    const call = findCall(request);
    // The duration of an event stream says nothing about the service.
    if (call?.streams !== 'events')
      durations.observe(
        { call: call?.name ?? 'other', status: reply.statusCode },
        reply.elapsedTime / 1000,
      );
  });
}

function findCall({ method, routeOptions: { url } }: FastifyRequest) {
  return url === undefined ? undefined : byRoute.get(`${method} ${url}`);
}

let registry: Registry | undefined;

/** Memory, processor time, event loop and garbage collection. They start with the first call, so that an unread process stays idle. */
export function processMetrics(): Registry {
  if (registry === undefined) {
    registry = new Registry();
    collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 100 });
  }
  return registry;
}
