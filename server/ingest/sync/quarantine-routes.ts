/** Endpoints to accept or reject quarantined changes. Each decision starts a sync that applies it. */
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
import { saveDecision } from './quarantine-store.ts';
import { activeRun } from './run-store.ts';
import { assertEnabled, createAlreadyRunningError, requireFeed } from './start-errors.ts';
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
      // A concurrent run may replace the entry that the administrator has seen.
      const run = await activeRun(database, source);
      if (run !== null) throw createAlreadyRunningError(source, run);
      if (!(await saveDecision(database, { source, ...request.body }, decision, by))) {
        throw new AppError(
          'nothing_quarantined',
          'These changes are not quarantined any more: somebody has decided, or the vendor publishes the records as before. Reload the page.',
        );
      }
      const after = { ...request.body, decision };
      log.info({ source, ...after, by }, 'quarantined changes were decided');
      request.changed({ subject: `quarantine of source ${source}`, after });
      return sync.start(source, by);
    });
}
