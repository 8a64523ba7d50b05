import { catalogueLists, getList } from '@patch/catalogue/lists.ts';
import { specified } from '@patch/catalogue/testing/specified.ts';
import { createMemoryHistory } from '@tanstack/react-router';
import { act, screen, waitFor } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { signIn } from '../api/session.ts';
import { emptyService } from '../testing/empty-service.ts';
import { sentCalls } from '../testing/fake-api.ts';
import { fillIn } from '../testing/person.ts';
import { renderApp } from '../testing/render-app.tsx';
import { signedInUser } from '../testing/sign-in-as.ts';
import { newRouter } from './router.tsx';

const user = signedInUser({ name: 'operator' });
const searched = () =>
  sentCalls().flatMap(({ path, body }) =>
    /\/search(\/|$)/.test(path) ? [`${path} ${JSON.stringify(body)}`] : [],
  );

const routerAt = (path: string) => newRouter(createMemoryHistory({ initialEntries: [path] }));

async function open(path: string) {
  const { router } = await renderApp({ path, replies: emptyService(user) });
  await screen.findByRole('heading', { level: 1 });
  return router;
}

const findRoute = (path: string) => {
  const router = routerAt(path);
  const matches = router.matchRoutes(router.latestLocation);
  return router.routesById[matches.at(-1)?.routeId as keyof typeof router.routesById];
};

describe('the seventeen pages of the specification', () => {
  test.each(specified.childPaths)('loads /patch-repository/%s when it is opened', (child) => {
    const { component } = findRoute(`${specified.prefix}/${child}`).options as {
      readonly component?: { readonly preload?: unknown };
    };
    expect(typeof component?.preload).toBe('function');
  });

  test('contains the lists and the two configurations', () => {
    const routes = catalogueLists.map(({ route }) => route);
    expect(specified.childPaths).toHaveLength(17);
    expect(specified.childPaths.filter((child) => !routes.includes(child))).toEqual([
      'email-configuration',
      'configuration',
    ]);
  });
});

describe('access to routes', () => {
  const paths = Object.keys(routerAt('/').routesByPath);
  const filledIn = (path: string) =>
    path.replace('/patch-repository/$child', '/patch-repository/kb-base').replaceAll(/\$\w*/g, '7');

  test('requires a session below /patch-repository, and nowhere else', async () => {
    const guardedPaths = await Promise.all(
      paths.map(async (path) => {
        const router = routerAt(filledIn(path));
        await router.load();
        return [
          path,
          Object.hasOwn(router.state.location.search as object, 'redirectFrom'),
        ] as const;
      }),
    );
    expect(guardedPaths.filter(([, guarded]) => guarded).map(([path]) => path)).toEqual(
      paths.filter((path) => path.startsWith('/patch-repository')),
    );
    expect(paths).toEqual(
      expect.arrayContaining([
        '/login',
        '/404',
        '/500',
        '/upgrade',
        '/reset-password/$id',
        '/auth/approval',
      ]),
    );
  });
});

describe('layout', () => {
  const frame = () =>
    screen.queryByRole('navigation', { name: 'Main' }) === null ? 'public' : 'main';

  test('is that of the login page without a session, whatever the address', async () => {
    await open('/patch-repository/kb-base');
    expect(frame()).toBe('public');
  });

  test('is the main one for a signed-in user', async () => {
    signIn('token of layouts', user);
    await open('/patch-repository/kb-base');
    expect(frame()).toBe('main');
    expect(screen.getByRole('heading', { level: 1 }).textContent).toContain('KB base');
  });

  test.each(['/404', '/500', '/upgrade', '/activate/AB12', '/auth/approval'])(
    'is that of the route at %s, signed in or not',
    async (path) => {
      signIn('token of own layouts', user);
      await open(path);
      expect(frame()).toBe('public');
    },
  );
});

test.each(['/patch-repository/no-such-list', '/patch-repository/no-such-list/record/5'])(
  'shows the not-found page for %s, which names a missing list',
  async (path) => {
    signIn('token of missing modules', user);
    const router = await open(path);
    expect(router.state.location.pathname).toBe('/404');
    expect(screen.getByText(/Missing module/).textContent).toBe(
      `404. ${specified.pages.notFound.message}Missing module: ${specified.errors.missingModule('no-such-list')}`,
    );
  },
);

test('renders the page again when the path or anything after it changes', async () => {
  signIn('token of paths', user);
  const router = await open('/patch-repository/kb-base');
  const box = await screen.findByRole('combobox', {
    name: `Search ${getList('kb_repository').label}`,
  });
  await fillIn(box, 'half a word');
  await waitFor(() => expect(searched()).toHaveLength(1));

  // The new list must not have the text or selection of the previous one.
  await act(() =>
    router.navigate({ to: '/patch-repository/$child', params: { child: 'debian-patch' } }),
  );
  const nextBox = await screen.findByRole<HTMLInputElement>('combobox', {
    name: `Search ${getList('debian_patch').label}`,
  });
  expect(nextBox.value).toBe('');
  expect(
    screen.queryByRole('combobox', { name: `Search ${getList('kb_repository').label}` }),
  ).toBeNull();
  await waitFor(() => expect(searched()).toHaveLength(2));

  // The same path with other search parameters.
  await act(() =>
    router.navigate({
      to: '/patch-repository/$child',
      params: { child: 'debian-patch' },
      search: { keyword: 'openssl' },
    }),
  );
  await waitFor(() => expect(searched().at(-1)).toContain('"keyword":"openssl"'));
  expect(screen.getByText('openssl')).toBeTruthy();
});
