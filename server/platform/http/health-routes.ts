/** Routes for load balancers. A service is ready if it has started, is not stopping and its database responds within this time. */
import { setTimeout as after } from 'node:timers/promises';
import {
  healthEndpoint,
  liveEndpoint,
  readyEndpoint,
} from '@patch/contract/operations/health-endpoint.ts';
import type { Config } from '../config/config.ts';
import type { Database } from '../database/database.ts';
import { AppError } from '../errors/app-error.ts';
import type { CatalogueServers } from '../replicas/catalogue-servers.ts';
import { productVersion } from './product-version.ts';
import type { RouteRegistrar } from './route.ts';

const timeoutMs = 2_000;

/** The service is `starting` until all parts have started. While `stopping` it still serves requests, but load balancers must send no new ones. */
export type ServicePhase = 'starting' | 'ready' | 'stopping';

export interface HealthRoutes {
  readonly database: Database;
  readonly config: Pick<Config, 'databaseUrl'>;
  readonly replicas?: CatalogueServers | null;
  readonly phase: () => ServicePhase;
}

export function healthRoutes(
  route: RouteRegistrar,
  { database, config, replicas = null, phase }: HealthRoutes,
): void {
  const ready = async () => {
    if (phase() !== 'ready') throw notReadyError(`The service is ${phase()}.`);
    if (!(await isDatabaseResponding(database)))
      throw notReadyError('The database is not responding.');
    return {
      status: 'ready' as const,
      version: productVersion,
      database: config.databaseUrl === null ? ('embedded' as const) : ('server' as const),
      ...(replicas !== null && { readReplicas: countReplicas(replicas) }),
    };
  };
  route(healthEndpoint, ready);
  route(readyEndpoint, ready);
  route(liveEndpoint, () => Promise.resolve({ status: 'live' as const, version: productVersion }));
}

/** Counts replicas by state, without their names, since the reply is public. */
function countReplicas(replicas: CatalogueServers) {
  const states = replicas.figures().replicas.map(({ state }) => state);
  const countState = (wanted: string) => states.filter((state) => state === wanted).length;
  return {
    named: states.length,
    asked: countState('in_use'),
    behind: countState('behind'),
    leftOut: countState('left_out'),
  };
}

const notReadyError = (reason: string) =>
  new AppError('not_ready', `${reason} Try again in a moment.`, { retryAfterSeconds: 5 });

const isDatabaseResponding = async (database: Database): Promise<boolean> =>
  (await answerInTime(database.query('select 1'))) !== null;

/** Returns null when the database does not answer in time, or with an error. */
export async function answerInTime<Answer>(answer: Promise<Answer>): Promise<Answer | null> {
  const timer = new AbortController();
  try {
    return await Promise.race([answer, after(timeoutMs, null, { signal: timer.signal })]);
  } catch {
    return null;
  } finally {
    timer.abort();
  }
}
