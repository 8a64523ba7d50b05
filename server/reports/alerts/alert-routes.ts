/** Routes for alerts of saved views. */
import type { CatalogueList } from '@patch/catalogue/lists.ts';
import type { SignedInUser } from '@patch/contract/accounts/sign-in-endpoints.ts';
import {
  type AlertPreviewDay,
  type AlertSetting,
  alertsEndpoint,
  endAlertEndpoint,
  previewAlertEndpoint,
  setAlertEndpoint,
  type ViewAlert,
  watchableEvents,
} from '@patch/contract/reports/alert-endpoints.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { requireUser } from '../../platform/http/require-user.ts';
import type { RouteRegistrar } from '../../platform/http/route.ts';
import { readEmailConfig } from '../../platform/mail/email-config-store.ts';
import { getKnownList } from '../../records/preferences/known-list.ts';
import { readExistingView } from '../../records/preferences/restricted-view.ts';
import type { RecordsContext } from '../../records/records-context.ts';
import { getSearchCaller } from '../../records/search/search-service.ts';
import {
  deleteAlert,
  findChannels,
  readUserAlerts,
  type StoredAlert,
  setAlert,
} from './alert-store.ts';
import { ownerZone } from './owner-zone.ts';
import { previewAlert } from './preview-alert.ts';

type AlertRoutes = Pick<RecordsContext, 'database' | 'clock' | 'timeZone' | 'searchService'>;

export function alertRoutes(
  route: RouteRegistrar,
  { database, clock, timeZone, searchService }: AlertRoutes,
): void {
  route(alertsEndpoint, async (request) => {
    const alerts = await readUserAlerts(database, requireUser(request).id);
    return {
      objList: alerts.map(toViewAlert),
      totalCount: alerts.length,
      mailConfigured: (await readEmailConfig(database)) !== null,
    };
  });

  route(setAlertEndpoint, async (request) => {
    const { body, params, changed } = request;
    const { id: userId, name } = requireUser(request);
    assertRecipients(body, requireUser(request));
    return database.transaction(async (session) => {
      const view = await readExistingView(session, request, params.id);
      assertWatchable(body, getKnownList(view.list));
      await assertChannels(session, body.channels);
      const before = await findAlert(session, userId, view.id);
      const key = { userId, viewId: view.id, list: getKnownList(view.list).key };
      await setAlert(session, key, body, clock());
      const after = await findAlert(session, userId, view.id);
      if (after === undefined) throw new Error('A stored alert is missing');
      changed({
        subject: `alert of ${name} on view ${view.name}`,
        ...(before && { before: toViewAlert(before) }),
        after: toViewAlert(after),
      });
      return toViewAlert(after);
    });
  });

  route(endAlertEndpoint, async (request) => {
    const { id: userId, name } = requireUser(request);
    const alert = await findAlert(database, userId, request.params.id);
    if (alert === undefined || !(await deleteAlert(database, userId, alert.view.id)))
      throw new AppError(
        'no_such_alert',
        'This view has no alert, or the alert was removed already.',
      );
    request.changed({
      subject: `alert of ${name} on view ${alert.view.name}`,
      before: toViewAlert(alert),
    });
    return { message: `The alert of the view '${alert.view.name}' has been removed.` };
  });

  route(previewAlertEndpoint, async (request) => {
    const { list, search, mode, hour, timeZone: browser } = request.body;
    const zone = ownerZone(requireUser(request).timezone, timeZone(), browser);
    const caller = getSearchCaller(request);
    const alert = { list: getKnownList(list), search, mode, hour, timeZone: zone, now: clock() };
    const { sight } = request;
    const parts = { database, rowSearch: searchService.rows, sight };
    const days = await searchService.run(caller, () =>
      previewAlert(parts, { ...alert, signal: caller.signal }),
    );
    return { days, total: sumDays(days, 'total'), updates: sumDays(days, 'updates') };
  });
}

function assertRecipients(
  { ownAddress, furtherAddresses, channels }: AlertSetting,
  { email, userType }: Pick<SignedInUser, 'email' | 'userType'>,
): void {
  if (furtherAddresses.length + channels.length > 0 && userType !== 'Admin')
    throw new AppError(
      'not_allowed',
      'Only an administrator may send an alert to channels, or to addresses other than their own.',
    );
  if (!ownAddress && furtherAddresses.length + channels.length === 0)
    throw new AppError('no_recipient', 'An alert needs at least one address or channel.');
  if (ownAddress && email === '')
    throw new AppError(
      'no_address',
      'You have no email address yet. An administrator can enter one for you.',
    );
}

/** @throws AppError `no_such_channel` */
async function assertChannels(tx: Queryable, ids: readonly number[]): Promise<void> {
  const known = await findChannels(tx, ids);
  if (ids.some((id) => !known.has(id)))
    throw new AppError(
      'no_such_channel',
      'The channel does not exist. Choose from GET /api/channels.',
    );
}

/** @throws AppError `unknown_field` when the list lacks the risk fields that the alert is to watch. */
function assertWatchable({ exploited, epssAbove }: AlertSetting, list: CatalogueList): void {
  const watchable = watchableEvents(list);
  const isMissing =
    (exploited && watchable.exploited === undefined) ||
    (epssAbove !== null && watchable.epss === undefined);
  if (isMissing)
    throw new AppError(
      'unknown_field',
      `${list.label} shows no risk, so an alert cannot watch it. Leave exploited and epssAbove out.`,
    );
}

const findAlert = async (tx: Queryable, userId: number, viewId: number) =>
  (await readUserAlerts(tx, userId)).find(({ view }) => view.id === viewId);

const sumDays = (days: readonly AlertPreviewDay[], key: 'total' | 'updates') =>
  days.reduce((all, day) => all + day[key], 0);

function toViewAlert(alert: StoredAlert): ViewAlert {
  const { mode, hour, timeZone, ownAddress, furtherAddresses, channels } = alert;
  const { exploited, epssAbove, view, lookedAt, problem } = alert;
  const setting = { mode, hour, timeZone, ownAddress, furtherAddresses, channels };
  return { ...setting, exploited, epssAbove, view, lookedAt, problem };
}
