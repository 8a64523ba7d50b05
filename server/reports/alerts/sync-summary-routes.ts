/** The calls about the daily summary of syncs, each administrator's own. */

import type { SignedInUser } from '@patch/contract/sign-in-endpoints.ts';
import {
  defaultSummaryHour,
  type SyncSummaryReply,
  saveSyncSummaryEndpoint,
  syncSummaryEndpoint,
} from '@patch/contract/sync-summary-endpoints.ts';
import type { Database } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { requireUser } from '../../platform/http/require-user.ts';
import type { RouteRegistrar } from '../../platform/http/route.ts';
import { readEmailConfig } from '../../platform/mail/email-config-store.ts';
import { nextTimeOf, ownerZone } from './owner-zone.ts';
import { endSummary, subscribeToSummary, summarySubscription } from './sync-summary-store.ts';

export interface SyncSummaryRoutes {
  readonly database: Database;
  readonly clock: () => number;
  /** Of the service; null without one. */
  readonly timeZone: () => string | null;
}

export function syncSummaryRoutes(
  route: RouteRegistrar,
  { database, clock, timeZone }: SyncSummaryRoutes,
): void {
  async function standing({ id, timezone }: SignedInUser): Promise<SyncSummaryReply> {
    const wish = await summarySubscription(database, id);
    const mailConfigured = (await readEmailConfig(database)) !== null;
    if (wish === null)
      return { enabled: false, hour: defaultSummaryHour, nextAt: null, mailConfigured };
    const zone = ownerZone(timezone, timeZone(), wish.timeZone);
    return {
      enabled: true,
      hour: wish.hour,
      nextAt: nextTimeOf(wish.hour, zone, clock()),
      mailConfigured,
    };
  }

  route(syncSummaryEndpoint, (request) => standing(requireUser(request)));

  route(saveSyncSummaryEndpoint, async (request) => {
    const user = requireUser(request);
    const { enabled, hour, timeZone: browser } = request.body;
    if (enabled && user.email === '')
      throw new AppError(
        'no_address',
        'You have no email address yet. Enter one to receive emails.',
      );
    const before = await standing(user);
    if (enabled) await subscribeToSummary(database, user.id, { hour, timeZone: browser }, clock());
    else await endSummary(database, user.id);
    const after = await standing(user);
    request.changed({
      subject: `daily sync summary of ${user.name}`,
      before: choice(before),
      after: choice(after),
    });
    return after;
  });
}

const choice = ({ enabled, hour }: SyncSummaryReply) => ({ enabled, hour });
