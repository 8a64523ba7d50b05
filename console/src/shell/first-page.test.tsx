import { setTimeout as pause } from 'node:timers/promises';
import { listOfKey } from '@patch/catalogue/lists.ts';
import { detailEndpoint } from '@patch/contract/detail-endpoint.ts';
import { preferencesEndpoint } from '@patch/contract/preference-endpoints.ts';
import { savedViewsEndpoint } from '@patch/contract/saved-view-endpoints.ts';
import { searchEndpoint } from '@patch/contract/search-endpoint.ts';
import { meEndpoint } from '@patch/contract/sign-in-endpoints.ts';
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
import { askForFirstPage } from './first-page.ts';

const alma = listOfKey('almalinux_patch');
const at = '/patch-repository/almalinux-patch';
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
const sentTo = (ending: string) => sentCalls().filter(({ path }) => path.endsWith(ending));

// What was fetched ages by the clock alone, and a slow machine must not make it old.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  destroyPreferences();
});
afterEach(() => {
  vi.useRealTimers();
  destroyPreferences();
});

test.each([
  ['as it is', at],
  ['searched and sorted', `${at}?keyword=kernel&sort=title&page=2&size=10`],
  ['by a criterion', `${at}?criteria=severity%20in%20('critical')`],
])('a list that is opened %s is asked for once', async (_how, path) => {
  await renderApp({
    path,
    session: { userType: 'Standard' },
    replies: [rows, ...emptyService(user)],
    asksEarly: true,
  });
  expect(await screen.findByText('The only record')).toBeTruthy();
  expect(sentTo('/almalinux/search')).toHaveLength(
    // The last page is opened in the place of one that is not there.
    path.includes('page=2') ? 2 : 1,
  );
  expect(sentTo('/views')).toHaveLength(1);
});

/** A session of its own, since who a token belongs to is asked once; the server does not say it before `tell` is called. */
function sessionNotToldYet(token: string) {
  const told = Promise.withResolvers<void>();
  signIn(token, user);
  const waiting = respond(meEndpoint, async () => {
    await told.promise;
    return Response.json(user);
  });
  return { waiting, tell: () => told.resolve() };
}

test('its rows are asked for while the server still says who this is', async () => {
  const { waiting, tell } = sessionNotToldYet('of another session');
  await renderApp({
    path: at,
    replies: [waiting, rows, ...emptyService(user)],
    asksEarly: true,
  });
  await waitFor(() => expect(sentTo('/almalinux/search')).toHaveLength(1));
  expect(screen.queryByText('The only record')).toBeNull();
  tell();
  expect(await screen.findByText('The only record')).toBeTruthy();
  expect(sentTo('/almalinux/search')).toHaveLength(1);
});

test('preferences that this browser does not remember are heeded', async () => {
  const preferences = reply(preferencesEndpoint, {
    preferences: { [alma.key]: { pageSize: 50 } },
    frame: {},
  });
  await renderApp({
    path: at,
    session: {},
    replies: [preferences, rows, ...emptyService(user)],
    asksEarly: true,
  });
  expect(await screen.findByText('The only record')).toBeTruthy();
  expect(sentTo('/almalinux/search').at(-1)?.query).toMatchObject({ size: '50' });
});

test('a refusal is shown in the place of the rows', async () => {
  await renderApp({
    path: at,
    session: {},
    replies: [refuse(searchEndpoint(alma), 403), ...emptyService(user)],
    asksEarly: true,
  });
  expect(await screen.findByText('You don’t have access to this list')).toBeTruthy();
  expect(sentTo('/almalinux/search').length).toBeGreaterThan(0);
});

test.each([
  ['refuses', refuse(searchEndpoint(alma), 403), 1],
  ['does not answer its gateway', refuse(searchEndpoint(alma), 504), 1],
  // The only one of these that a retry may heal.
  ['is unavailable', refuse(searchEndpoint(alma), 503), 2],
] as const)(
  'a service that %s is asked no more often than without asking early',
  async (_what, failure, calls) => {
    await renderApp({
      path: at,
      session: {},
      replies: [failure, ...emptyService(user)],
      asksEarly: true,
    });
    await waitFor(() => expect(sentTo('/almalinux/search')).toHaveLength(calls), {
      timeout: 5_000,
    });
    await pause(1_500);
    expect(sentTo('/almalinux/search')).toHaveLength(calls);
  },
);

test('a failure that nothing shows is not told', async () => {
  signInAs(user);
  addReplies(
    refuse(searchEndpoint(alma), 403),
    reply(savedViewsEndpoint, { objList: [], totalCount: 0 }),
  );
  const queries = newQueryClient();
  await renderInApp(<p>The page</p>);
  askForFirstPage(queries, { pathname: at, search: {} });
  await waitFor(() => expect(sentTo('/almalinux/search')).toHaveLength(1));
  await waitFor(() => expect(queries.isFetching()).toBe(0));
  expect(screen.queryByText('The list could not be loaded.')).toBeNull();
});

test('a record is asked for once, while the server still says who this is', async () => {
  const { waiting, tell } = sessionNotToldYet('of a third session');
  await renderApp({
    path: `${at}/record/1`,
    replies: [waiting, reply(detailEndpoint(alma), record), ...emptyService(user)],
    asksEarly: true,
  });
  await waitFor(() => expect(sentTo('/almalinux/1')).toHaveLength(1));
  tell();
  expect(await screen.findByRole('heading', { level: 1, name: /ALSA-2024:1/ })).toBeTruthy();
  expect(sentTo('/almalinux/1')).toHaveLength(1);
});

test.each([
  ['is not there', 404, 1],
  ['may not be read', 403, 1],
  ['cannot be read for the time being', 503, 2],
] as const)(
  'a record that %s is asked for as often as without asking early',
  async (_what, status, calls) => {
    await renderApp({
      path: `${at}/record/1`,
      session: {},
      replies: [refuse(detailEndpoint(alma), status), ...emptyService(user)],
      asksEarly: true,
    });
    await waitFor(() => expect(sentTo('/almalinux/1')).toHaveLength(calls), { timeout: 5_000 });
    await pause(1_500);
    expect(sentTo('/almalinux/1')).toHaveLength(calls);
  },
);

test.each([
  '/login',
  '/patch-repository/dashboard',
  `${at}/record/0`,
  `${at}/record/1/more`,
  '/patch-repository/nowhere',
])('nothing is asked for at %s', async (pathname) => {
  signInAs(user);
  const queries = newQueryClient();
  askForFirstPage(queries, { pathname, search: {} });
  await import('../list/prefetch-list.ts');
  await import('../detail/use-record.ts');
  expect(queries.getQueryCache().getAll()).toEqual([]);
});
