import { setTimeout as pause } from 'node:timers/promises';
import { getList } from '@patch/catalogue/lists.ts';
import { meEndpoint } from '@patch/contract/accounts/sign-in-endpoints.ts';
import { preferencesEndpoint } from '@patch/contract/operations/preference-endpoints.ts';
import { detailEndpoint } from '@patch/contract/records/detail-endpoint.ts';
import { savedViewsEndpoint } from '@patch/contract/records/saved-view-endpoints.ts';
import { searchEndpoint } from '@patch/contract/records/search-endpoint.ts';
import { screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { destroyPreferences } from '../api/preferences.ts';
import { newQueryClient } from '../api/query-client.ts';
import { signIn } from '../api/session.ts';
import { emptyService } from '../testing/empty-service.ts';
import { addReplies, refuse, reply, respond, sentCalls } from '../testing/fake-api.ts';
import { renderApp } from '../testing/render-app.tsx';
import { renderInApp } from '../testing/render-in-app.tsx';
import { signedInUser, signInAs } from '../testing/sign-in-as.ts';
import { prefetchFirstPage } from './first-page.ts';

const alma = getList('almalinux_patch');
const listAddress = '/patch-repository/almalinux-patch';
const user = signedInUser();
const rows = reply(searchEndpoint(alma), {
  objList: [{ id: 1, title: 'The only record', bulletinId: 'ALSA-2024:1' }],
  totalCount: 1,
});
const record = {
  id: 1,
  title: 'The only record',
  bulletinId: 'ALSA-2024:1',
  packages: [],
  modules: [],
  references: [],
  firstSeenTime: 1,
  changedTime: 1,
  withdrawnTime: null,
};
const findCalls = (ending: string) => sentCalls().filter(({ path }) => path.endsWith(ending));

// Replies age by the clock alone, so that a slow machine does not make them stale.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  destroyPreferences();
});
afterEach(() => {
  vi.useRealTimers();
  destroyPreferences();
});

test.each([
  ['as it is', listAddress],
  ['searched and sorted', `${listAddress}?keyword=kernel&sort=title&page=2&size=10`],
  ['by a criterion', `${listAddress}?criteria=severity%20in%20('critical')`],
])('requests a list opened %s once', async (_how, path) => {
  await renderApp({
    path,
    session: { userType: 'Standard' },
    replies: [rows, ...emptyService(user)],
    fetchesEarly: true,
  });
  expect(await screen.findByText('The only record')).toBeTruthy();
  expect(findCalls('/almalinux/search')).toHaveLength(
    // The first request finds that page 2 does not exist; the second loads the last page.
    path.includes('page=2') ? 2 : 1,
  );
  expect(findCalls('/views')).toHaveLength(1);
});

test('requests a list once that opens with criteria, and shows these before its rows', async () => {
  const all = getList('all_patches');
  const views = Promise.withResolvers<void>();
  await renderApp({
    path: '/patch-repository/all-patches',
    session: { userType: 'Standard' },
    replies: [
      respond(savedViewsEndpoint, async () => {
        await views.promise;
        return Response.json({ objList: [] });
      }),
      reply(searchEndpoint(all), {
        objList: [{ id: 1, title: 'The only record', identifier: 'ALSA-2024:1' }],
        totalCount: 1,
      }),
      ...emptyService(user),
    ],
    fetchesEarly: true,
  });
  expect(await screen.findByTitle(/Superseded is hidden/)).toBeTruthy();
  expect(screen.queryByText('The only record')).toBeNull();
  views.resolve();
  expect(await screen.findByText('The only record')).toBeTruthy();
  expect(findCalls(all.searchPath).map(({ body }) => body)).toEqual([
    { filter: 'superseded != true' },
  ]);
});

/** Starts a session whose user the server returns only after `tell` is called. Each token needs a test of its own, because its user is requested once. */
function startPendingSession(token: string) {
  const resolvers = Promise.withResolvers<void>();
  signIn(token, user);
  const waiting = respond(meEndpoint, async () => {
    await resolvers.promise;
    return Response.json(user);
  });
  return { waiting, tell: () => resolvers.resolve() };
}

test('requests the rows before the user is known', async () => {
  const { waiting, tell } = startPendingSession('of another session');
  await renderApp({
    path: listAddress,
    replies: [waiting, rows, ...emptyService(user)],
    fetchesEarly: true,
  });
  await waitFor(() => expect(findCalls('/almalinux/search')).toHaveLength(1));
  expect(screen.queryByText('The only record')).toBeNull();
  tell();
  expect(await screen.findByText('The only record')).toBeTruthy();
  expect(findCalls('/almalinux/search')).toHaveLength(1);
});

test('applies preferences that this browser does not remember', async () => {
  const preferences = reply(preferencesEndpoint, {
    preferences: { [alma.key]: { pageSize: 50 } },
    frame: {},
  });
  await renderApp({
    path: listAddress,
    session: {},
    replies: [preferences, rows, ...emptyService(user)],
    fetchesEarly: true,
  });
  expect(await screen.findByText('The only record')).toBeTruthy();
  expect(findCalls('/almalinux/search').at(-1)?.query).toMatchObject({ size: '50' });
});

test('shows a refusal instead of the rows', async () => {
  await renderApp({
    path: listAddress,
    session: {},
    replies: [refuse(searchEndpoint(alma), 403), ...emptyService(user)],
    fetchesEarly: true,
  });
  expect(await screen.findByText('You don’t have access to this list')).toBeTruthy();
  expect(findCalls('/almalinux/search').length).toBeGreaterThan(0);
});

test.each([
  ['refuses', refuse(searchEndpoint(alma), 403), 1],
  ['does not answer its gateway', refuse(searchEndpoint(alma), 504), 1],
  // Only this failure is retried.
  ['is unavailable', refuse(searchEndpoint(alma), 503), 2],
] as const)('sends no additional requests to a service that %s', async (_what, failure, calls) => {
  await renderApp({
    path: listAddress,
    session: {},
    replies: [failure, ...emptyService(user)],
    fetchesEarly: true,
  });
  await waitFor(() => expect(findCalls('/almalinux/search')).toHaveLength(calls), {
    timeout: 5_000,
  });
  await pause(1_500);
  expect(findCalls('/almalinux/search')).toHaveLength(calls);
});

test('shows no failure of data that no page needs', async () => {
  signInAs(user);
  addReplies(
    refuse(searchEndpoint(alma), 403),
    reply(savedViewsEndpoint, { objList: [], totalCount: 0 }),
  );
  const queries = newQueryClient();
  await renderInApp(<p>The page</p>);
  prefetchFirstPage(queries, { pathname: listAddress, search: {} });
  await waitFor(() => expect(findCalls('/almalinux/search')).toHaveLength(1));
  await waitFor(() => expect(queries.isFetching()).toBe(0));
  expect(screen.queryByText('The list could not be loaded.')).toBeNull();
});

test('requests a record once, before the user is known', async () => {
  const { waiting, tell } = startPendingSession('of a third session');
  await renderApp({
    path: `${listAddress}/record/1`,
    replies: [waiting, reply(detailEndpoint(alma), record), ...emptyService(user)],
    fetchesEarly: true,
  });
  await waitFor(() => expect(findCalls('/almalinux/1')).toHaveLength(1));
  tell();
  expect(await screen.findByRole('heading', { level: 1, name: /ALSA-2024:1/ })).toBeTruthy();
  expect(findCalls('/almalinux/1')).toHaveLength(1);
});

test.each([
  ['is not there', 404, 1],
  ['may not be read', 403, 1],
  ['cannot be read for the time being', 503, 2],
] as const)('sends no additional requests for a record that %s', async (_what, status, calls) => {
  await renderApp({
    path: `${listAddress}/record/1`,
    session: {},
    replies: [refuse(detailEndpoint(alma), status), ...emptyService(user)],
    fetchesEarly: true,
  });
  await waitFor(() => expect(findCalls('/almalinux/1')).toHaveLength(calls), { timeout: 5_000 });
  await pause(1_500);
  expect(findCalls('/almalinux/1')).toHaveLength(calls);
});

test.each([
  '/login',
  '/patch-repository/dashboard',
  `${listAddress}/record/0`,
  `${listAddress}/record/1/more`,
  '/patch-repository/nowhere',
])('requests nothing at %s', async (pathname) => {
  signInAs(user);
  const queries = newQueryClient();
  prefetchFirstPage(queries, { pathname, search: {} });
  await import('../list/model/prefetch-list.ts');
  await import('../detail/use-record.ts');
  expect(queries.getQueryCache().getAll()).toEqual([]);
});
