/**
 * GET /metrics, for Prometheus. It lists sources and reveals the workload, so it is not public: callers need METRICS_TOKEN
 * (Authorization: Bearer …), an API key with the scope read (Authorization: Apikey prk_…), or, while no token is set, to be
 * on this machine.
 */
import { timingSafeEqual } from 'node:crypto';
import { BlockList } from 'node:net';
import { sha256 } from '@patch/catalogue/parsers/sha256.ts';
import type { SourceState } from '@patch/contract/sources/sync-endpoints.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Registry } from 'prom-client';
import type { Database } from '../database/database.ts';
import { statementMetrics } from '../database/statement-durations.ts';
import { AppError } from '../errors/app-error.ts';
import { type Authenticators, isLimited } from '../http/authenticate.ts';
import type { CatalogueServers } from '../replicas/catalogue-servers.ts';
import { replicaMetrics } from './replica-metrics.ts';
import { measureRequests, processMetrics } from './request-metrics.ts';
import { stateMetrics } from './state-metrics.ts';

export interface MetricsParts {
  readonly database: Database;
  /** Null without read replicas. */
  readonly replicas?: CatalogueServers | null;
  readonly states: () => Promise<readonly SourceState[]>;
  readonly clock: () => number;
  /** METRICS_TOKEN; null if not set. */
  readonly token: string | null;
  readonly findApiKey: Authenticators['findApiKey'];
  /** Metrics of modules above the platform. */
  readonly moreMetrics?: Registry;
}

/** Must be called before the routes whose requests are measured. */
export function metricsRoute(
  app: FastifyInstance,
  { database, replicas = null, states, clock, token, findApiKey, moreMetrics }: MetricsParts,
): void {
  const registry = new Registry();
  measureRequests(app, registry);
  const measure = stateMetrics({ database, states, registry, clock });
  const measureReplicas = replicas === null ? null : replicaMetrics(replicas, registry);

  app.get('/metrics', async (request, reply) => {
    if (!(await mayRead(request)))
      throw new AppError(
        'metrics_not_allowed',
        'Metrics require METRICS_TOKEN, an API key with the scope read, or, while no token is set, a request from this machine.',
      );
    await measure();
    measureReplicas?.();
    const all = Registry.merge([
      processMetrics(),
      statementMetrics,
      registry,
      ...(moreMetrics ? [moreMetrics] : []),
    ]);
    return reply
      .header('cache-control', 'no-store')
      .type(all.contentType)
      .send(await all.metrics());
  });

  async function mayRead({ ip, headers }: FastifyRequest): Promise<boolean> {
    const { authorization = '' } = headers;
    const bearer = /^bearer +(\S+)$/i.exec(authorization)?.[1];
    if (bearer !== undefined) return token !== null && isSame(bearer, token);
    const key = /^apikey +(prk_\S{1,200})$/i.exec(authorization)?.[1];
    if (key !== undefined) {
      const found = (await findApiKey?.(key).catch(() => null)) ?? null;
      if (found === null || !found.scopes.includes('read')) return false;
      const { user } = found;
      // They tell of the machines of all groups.
      return !isLimited(user) && !user.mustChangePassword && user.mustSetUpSecondFactor !== true;
    }
    // A proxy on this machine may forward requests without a header that says so; a token closes this gap.
    if (token !== null) return false;
    const forwarded = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'].some(
      (name) => headers[name] !== undefined,
    );
    return !forwarded && loopback.check(ip, ip.includes(':') ? 'ipv6' : 'ipv4');
  }
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');
loopback.addSubnet('::ffff:127.0.0.0', 104, 'ipv6');

const isSame = (a: string, b: string) => timingSafeEqual(sha256(a), sha256(b));
