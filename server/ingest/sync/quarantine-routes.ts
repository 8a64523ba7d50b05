/** Routes by which administrators accept or reject quarantined changes; each decision starts a sync that applies it. */
import type { AnyFeed } from '@patch/catalogue/definition/feed.ts';
import type { SourceKey } from '@patch/catalogue/sources.ts';
import {
  acceptQuarantineEndpoint,
  rejectQuarantineEndpoint,
} from '@patch/contract/quarantine-endpoints.ts';
import type { Database } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { requireUser } from '../../platform/http/require-user.ts';
import type { RouteRegistrar } from '../../platform/http/route.ts';
import type { Log } from '../../platform/logging/logging.ts';
import { decide } from './quarantine-store.ts';
import { activeRun } from './run-store.ts';
import { alreadyRunning, assertEnabled, requireFeed } from './start-errors.ts';
import type { Sync } from './start-sync.ts';

export interface QuarantineRoutes {
  readonly database: Database;
  readonly sync: Pick<Sync, 'start'>;
  readonly feeds: Partial<Record<SourceKey, AnyFeed>>;
  readonly log: Pick<Log, 'info'>;
}

const answers = [
  [acceptQuarantineEndpoint, 'accepted'],
  [rejectQuarantineEndpoint, 'rejected'],
] as const;

export function quarantineRoutes(
  route: RouteRegistrar,
  { database, sync, feeds, log }: QuarantineRoutes,
): void {
  for (const [endpoint, decision] of answers)
    route(endpoint, async (request) => {
      const { source } = request.params;
      const by = requireUser(request).name;
      requireFeed(feeds, source);
      await assertEnabled(database, source);
      // A concurrent run may find something else.
      const run = await activeRun(database, source);
      if (run !== null) throw alreadyRunning(source, run);
      if (!(await decide(database, { source, ...request.body }, decision, by))) {
        throw new AppError(
          'nothing_quarantined',
          'Nothing is quarantined there any longer: it was decided, or the vendor publishes the records as before.',
        );
      }
      const after = { ...request.body, decision };
      log.info({ source, ...after, by }, 'quarantined changes were decided');
      request.changed({ subject: `quarantine of source ${source}`, after });
      return sync.start(source, by);
    });
}
