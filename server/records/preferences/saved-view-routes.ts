/** Endpoints of saved views. A view is validated against its list when it is saved, so that it can be opened later. */

import { restrictedMask } from '@patch/catalogue/definition/restricted-fields.ts';
import { listSortFields } from '@patch/catalogue/definition/sort-fields.ts';
import type { Endpoint } from '@patch/contract/base/endpoint.ts';
import { readCriteria } from '@patch/contract/filter/criteria-text.ts';
import {
  changeViewEndpoint,
  createViewEndpoint,
  deleteViewEndpoint,
  maxViewsOfAPerson,
  type SavedView,
  savedViewsEndpoint,
  type ViewSearch,
} from '@patch/contract/records/saved-view-endpoints.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { requireUser } from '../../platform/http/require-user.ts';
import type { EndpointRequest, RouteRegistrar } from '../../platform/http/route.ts';
import type { Sight } from '../../platform/http/sight.ts';
import type { PlatformContext } from '../../platform/platform-context.ts';
import { assertUnrestricted } from '../criteria/search-request.ts';
import { assertKnownFields, getKnownList } from './known-list.ts';
import { readExistingView, usesRestrictedFields } from './restricted-view.ts';
import {
  addView,
  changeView,
  countViews,
  readVisibleView,
  readVisibleViews,
  removeDefault,
  removeUsesOfOthers,
  removeView,
  setDefault,
} from './saved-view-store.ts';

export function savedViewRoutes(
  route: RouteRegistrar,
  { database, clock }: Pick<PlatformContext, 'database' | 'clock'>,
): void {
  route(savedViewsEndpoint, async (request) => {
    const { list } = request.query;
    const views = await readVisibleViews(
      database,
      requireUser(request),
      list === undefined ? null : getKnownList(list).key,
    );
    const objList = views.filter((view) => request.sight.restricted || !usesRestrictedFields(view));
    return { objList: [...objList], totalCount: objList.length };
  });

  route(createViewEndpoint, async (request) => {
    const { list, name, shared, isDefault, search } = request.body;
    const viewer = requireUser(request);
    audit(request, null, { ...request.body, ownerName: viewer.name });
    assertUsable(list, search, clock(), request.sight);
    return database.transaction(async (session) => {
      if ((await countViews(session, viewer.id)) >= maxViewsOfAPerson)
        throw new AppError(
          'too_many_views',
          `You have ${maxViewsOfAPerson} views, the most there may be. Remove one first.`,
        );
      const id = await addView(session, viewer.id, { list, name, shared, search }, clock());
      if (id === null) throw createNameTakenError(name);
      if (isDefault) await setDefault(session, viewer.id, list, id);
      return readExistingView(session, request, id);
    });
  });

  route(changeViewEndpoint, async (request) => {
    const { name, shared, isDefault, search } = request.body;
    const viewer = requireUser(request);
    const { id } = request.params;
    return database.transaction(async (session) => {
      const view = await readExistingView(session, request, id);
      if (name !== undefined || shared !== undefined || search !== undefined) {
        const next = {
          name: name ?? view.name,
          shared: shared ?? view.shared,
          search: search ?? view.search,
        };
        audit(request, view, { ...view, ...next });
        assertMayChange(view);
        if (search !== undefined) assertUsable(view.list, search, clock(), request.sight);
        if (!(await changeView(session, id, next, clock()))) throw createNameTakenError(next.name);
        if (view.shared && !next.shared) await removeUsesOfOthers(session, id);
      }
      if (isDefault === true) await setDefault(session, viewer.id, view.list, id);
      if (isDefault === false) await removeDefault(session, viewer.id, id);
      // An administrator who stops sharing the view of another user can no longer read it.
      return (
        (await readVisibleView(session, viewer, id)) ?? { ...view, shared: false, isDefault: false }
      );
    });
  });

  route(deleteViewEndpoint, async (request) => {
    const view = await readExistingView(database, request, request.params.id);
    audit(request, view, null);
    assertMayChange(view);
    await removeView(database, view.id);
    return { message: `The view '${view.name}' has been removed.` };
  });
}

type AuditedView = Pick<SavedView, 'list' | 'name' | 'ownerName' | 'shared' | 'search'>;

/** Reports a change of a shared view, also one that is refused after it. A private view is a preference, which is not recorded. */
function audit(
  { changed }: Pick<EndpointRequest<Endpoint>, 'changed'>,
  before: AuditedView | null,
  after: AuditedView | null,
): void {
  const view = [before, after].find((one) => one?.shared === true) ?? null;
  if (view === null) return;
  changed({
    subject: `view ${view.name} of ${view.ownerName}`,
    before: toAudited(before),
    after: toAudited(after),
  });
}

/** Leaves out values of restricted fields. */
function toAudited(view: AuditedView | null) {
  if (view?.shared !== true) return undefined;
  const { list, name, search } = view;
  return { list, name, search: usesRestrictedFields(view) ? restrictedMask : search };
}

/** @throws AppError `not_allowed` when the caller may not change the view. */
function assertMayChange({ mayChange, name, ownerName }: SavedView): void {
  if (!mayChange)
    throw new AppError(
      'not_allowed',
      `'${name}' is ${ownerName}'s. Only ${ownerName} and administrators may change it.`,
    );
}

/** @throws AppError for criteria, an order or columns that the caller could not use in a search. */
function assertUsable(listKey: string, search: ViewSearch, now: number, sight: Sight): void {
  const { criteria, sort, columns } = search;
  const list = getKnownList(listKey);
  const { refused, criteria: read } = readCriteria(list, criteria, { now, timeZone: 'UTC' });
  if (refused[0] !== undefined) throw new AppError('unaskable_criteria', `${refused[0]}.`);
  const sortFields = sort === null ? [] : listSortFields(list, sort);
  if (!sight.restricted)
    assertUnrestricted(list, [...read.map(({ paramName }) => paramName), ...sortFields]);
  assertKnownFields(list, [...(columns ?? []), ...sortFields]);
}

const createNameTakenError = (name: string) =>
  new AppError('name_taken', `You have a view named '${name}' in this list. Choose another name.`);
