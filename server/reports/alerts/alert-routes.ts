/** Routes for alerts of saved views. */
import type { CatalogueList } from '@patch/catalogue/lists.ts';
import {
  type AlertPreviewDay,
  type AlertSetting,
  alertsEndpoint,
  endAlertEndpoint,
  previewAlertEndpoint,
  setAlertEndpoint,
  type ViewAlert,
  watchableEvents,
} from '@patch/contract/alert-endpoints.ts';
import type { SignedInUser } from '@patch/contract/sign-in-endpoints.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { requireUser } from '../../platform/http/require-user.ts';
import type { RouteRegistrar } from '../../platform/http/route.ts';
import { readEmailConfig } from '../../platform/mail/email-config-store.ts';
import { getKnownList } from '../../records/preferences/known-list.ts';
import { usesRestrictedFields } from '../../records/preferences/restricted-view.ts';
import { readVisibleView } from '../../records/preferences/saved-view-store.ts';
import { getSearchCaller, type SearchService } from '../../records/search/search-service.ts';
import {
  deleteAlert,
  findChannels,
  readUserAlerts,
  type StoredAlert,
  setAlert,
} from './alert-store.ts';
import { ownerZone } from './owner-zone.ts';
import { previewAlert } from './preview-alert.ts';

export interface AlertRoutes {
  readonly database: Database;
  readonly clock: () => number;
  /** The time zone of the service; null without one. */
  readonly timeZone: () => string | null;
  readonly searchService: SearchService;
}

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
    const { id: userId, name, userType } = requireUser(request);
    assertRecipients(body, requireUser(request));
    return database.transaction(async (session) => {
      const caller = { id: userId, isAdmin: userType === 'Admin' };
      const view = await readVisibleView(session, caller, params.id);
      if (view === null || (!request.seesRestricted && usesRestrictedFields(view)))
        throw noSuchView();
      assertWatchable(body, getKnownList(view.list));
      await assertChannels(session, body.channels);
      const { before, after } = await compareStored(session, userId, view.id, () =>
        setAlert(
          session,
          { userId, viewId: view.id, list: getKnownList(view.list).key },
          body,
          clock(),
        ),
      );
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
    const alert = (await readUserAlerts(database, userId)).find(
      ({ view }) => view.id === request.params.id,
    );
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
    const previewed = {
      list: getKnownList(list),
      search,
      mode,
      hour,
      timeZone: zone,
      now: clock(),
      signal: caller.signal,
    };
    const days = await searchService.run(caller, () =>
      previewAlert(
        { database, rowSearch: searchService.rows, seesRestricted: request.seesRestricted },
        previewed,
      ),
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

/** Returns the alert of a user on a view before and after `store`. */
async function compareStored(
  tx: Queryable,
  userId: number,
  viewId: number,
  store: () => Promise<unknown>,
): Promise<{ readonly before: StoredAlert | undefined; readonly after: StoredAlert }> {
  const current = async () =>
    (await readUserAlerts(tx, userId)).find(({ view }) => view.id === viewId);
  const before = await current();
  await store();
  const after = await current();
  if (after === undefined) throw new Error('A stored alert is missing');
  return { before, after };
}

const sumDays = (days: readonly AlertPreviewDay[], key: 'total' | 'updates') =>
  days.reduce((all, day) => all + day[key], 0);

function toViewAlert({
  mode,
  hour,
  timeZone,
  ownAddress,
  furtherAddresses,
  channels,
  exploited,
  epssAbove,
  view,
  lookedAt,
  problem,
}: StoredAlert): ViewAlert {
  return {
    mode,
    hour,
    timeZone,
    ownAddress,
    furtherAddresses,
    channels,
    exploited,
    epssAbove,
    view,
    lookedAt,
    problem,
  };
}

const noSuchView = () =>
  new AppError('no_such_view', 'The view does not exist or is not shared with you.');
