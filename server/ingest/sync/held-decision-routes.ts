/** Routes by which administrators decide about held withdrawals and held content; each decision starts a sync that applies it. */
import type { AnyFeed } from '@patch/catalogue/definition/feed.ts';
import type { SourceKey } from '@patch/catalogue/sources.ts';
import {
  decideHeldContentEndpoint,
  decideHeldEndpoint,
} from '@patch/contract/source-settings-endpoints.ts';
import type { Database } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { requireUser } from '../../platform/http/require-user.ts';
import type { RouteRegistrar } from '../../platform/http/route.ts';
import type { Log } from '../../platform/logging/logging.ts';
import { decideContent } from './held-content-store.ts';
import { decide } from './held-withdrawal-store.ts';
import { activeRun } from './run-store.ts';
import { alreadyRunning, assertEnabled, requireFeed } from './start-errors.ts';
import type { Sync } from './start-sync.ts';

export interface HeldDecisionRoutes {
  readonly database: Database;
  readonly sync: Pick<Sync, 'start'>;
  readonly feeds: Partial<Record<SourceKey, AnyFeed>>;
  readonly log: Pick<Log, 'info'>;
}

export function heldDecisionRoutes(
  route: RouteRegistrar,
  { database, sync, feeds, log }: HeldDecisionRoutes,
): void {
  /** Before the decision: what a concurrent run finds may differ. */
  async function refuseWhileRunning(source: SourceKey): Promise<void> {
    requireFeed(feeds, source);
    await assertEnabled(database, source);
    const run = await activeRun(database, source);
    if (run !== null) throw alreadyRunning(source, run);
  }

  route(decideHeldEndpoint, async (request) => {
    const { source } = request.params;
    const { part, list, decision } = request.body;
    const by = requireUser(request).name;
    await refuseWhileRunning(source);
    if (!(await decide(database, { source, part, list }, decision, by))) {
      throw new AppError(
        'nothing_held',
        'Nothing is held there any longer: it was decided, or the vendor lists the records again.',
      );
    }
    log.info({ source, part, list, decision, by }, 'a held withdrawal was decided');
    request.changed({
      subject: `held withdrawals of source ${source}`,
      after: { part, list, decision },
    });
    return sync.start(source, by);
  });

  route(decideHeldContentEndpoint, async (request) => {
    const { source } = request.params;
    const { part, list, decision } = request.body;
    const by = requireUser(request).name;
    await refuseWhileRunning(source);
    if (!(await decideContent(database, { source, part, list }, decision, by))) {
      throw new AppError(
        'nothing_held',
        'No content is held there: it was decided, or the vendor publishes the content again.',
      );
    }
    log.info({ source, part, list, decision, by }, 'held content was decided');
    request.changed({
      subject: `held content of source ${source}`,
      after: { part, list, decision },
    });
    return sync.start(source, by);
  });
}
