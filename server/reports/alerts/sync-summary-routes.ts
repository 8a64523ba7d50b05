/** Routes for the daily sync summary, which each administrator sets for themselves. */

import type { SignedInUser } from '@patch/contract/accounts/sign-in-endpoints.ts';
import {
  defaultSummaryHour,
  type SyncSummaryReply,
  saveSyncSummaryEndpoint,
  syncSummaryEndpoint,
} from '@patch/contract/reports/sync-summary-endpoints.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { requireUser } from '../../platform/http/require-user.ts';
import type { RouteRegistrar } from '../../platform/http/route.ts';
import { readEmailConfig } from '../../platform/mail/email-config-store.ts';
import type { PlatformContext } from '../../platform/platform-context.ts';
import { findNextTime, ownerZone } from './owner-zone.ts';
import {
  readSummarySubscription,
  subscribeToSummary,
  unsubscribeFromSummary,
} from './sync-summary-store.ts';

export function syncSummaryRoutes(
  route: RouteRegistrar,
  { database, clock, timeZone }: Pick<PlatformContext, 'database' | 'clock' | 'timeZone'>,
): void {
  async function readSubscription({ id, timezone }: SignedInUser): Promise<SyncSummaryReply> {
    const subscription = await readSummarySubscription(database, id);
    const mailConfigured = (await readEmailConfig(database)) !== null;
    if (subscription === null)
      return { enabled: false, hour: defaultSummaryHour, nextAt: null, mailConfigured };
    const zone = ownerZone(timezone, timeZone(), subscription.timeZone);
    return {
      enabled: true,
      hour: subscription.hour,
      nextAt: findNextTime(subscription.hour, zone, clock()),
      mailConfigured,
    };
  }

  route(syncSummaryEndpoint, (request) => readSubscription(requireUser(request)));

  route(saveSyncSummaryEndpoint, async (request) => {
    const user = requireUser(request);
    const { enabled, hour, timeZone: browser } = request.body;
    if (enabled && user.email === '')
      throw new AppError(
        'no_address',
        'You have no email address yet. Enter one to receive emails.',
      );
    const before = await readSubscription(user);
    if (enabled) await subscribeToSummary(database, user.id, { hour, timeZone: browser }, clock());
    else await unsubscribeFromSummary(database, user.id);
    const after = await readSubscription(user);
    request.changed({
      subject: `daily sync summary of ${user.name}`,
      before: choice(before),
      after: choice(after),
    });
    return after;
  });
}

const choice = ({ enabled, hour }: SyncSummaryReply) => ({ enabled, hour });
