import { catalogueLists, listOfKey } from '@patch/catalogue/lists.ts';
import { specified } from '@patch/catalogue/testing/specified.ts';
import type { SignedInUser } from '@patch/contract/sign-in-endpoints.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { newQueryClient } from '../api/query-client.ts';
import { signIn, signOut } from '../api/session.ts';
import { newRouter } from './router.tsx';

const user = {
  id: 1,
  name: 'operator',
  email: '',
  userType: 'Admin',
  timezone: 'UTC',
  mustChangePassword: false,
  avatar: null,
} as SignedInUser;
const searched: string[] = [];

beforeEach(() => {
  searched.length = 0;
  vi.stubGlobal('scrollTo', () => {});
  vi.stubGlobal('fetch', async (address: string, init: RequestInit = {}) => {
    const { pathname } = new URL(address, 'http://console');
    const path = pathname.replace('/api', '');
    if (/\/search(\/|$)/.test(path)) searched.push(`${path} ${String(init.body)}`);
    const answers: Record<string, object> = {
      '/me': user,
      '/preference': { preferences: {}, frame: {} },
    };
    return new Response(JSON.stringify(answers[path] ?? { objList: [], totalCount: 0 }));
  });
});
afterEach(() => {
  signOut();
  vi.unstubAllGlobals();
});

const routerAt = (path: string) => newRouter(createMemoryHistory({ initialEntries: [path] }));

async function open(path: string) {
  const router = routerAt(path);
  render(
    <QueryClientProvider client={newQueryClient()}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  await screen.findByRole('heading', { level: 1 });
  return router;
}

const routeOf = (path: string) => {
  const router = routerAt(path);
  const matches = router.matchRoutes(router.latestLocation);
  return router.routesById[matches.at(-1)?.routeId as keyof typeof router.routesById];
};

describe('the seventeen pages', () => {
  test.each(specified.childPaths)('/patch-repository/%s is fetched when it is opened', (child) => {
    const { component } = routeOf(`${specified.prefix}/${child}`).options as {
      readonly component?: { readonly preload?: unknown };
    };
    expect(typeof component?.preload).toBe('function');
  });

  test('are all there are lists for, with the two configurations', () => {
    const routes = catalogueLists.map(({ route }) => route);
    expect(specified.childPaths).toHaveLength(17);
    expect(specified.childPaths.filter((child) => !routes.includes(child))).toEqual([
      'email-configuration',
      'configuration',
    ]);
  });
});

describe('a route is public, or for who is signed in', () => {
  const paths = Object.keys(routerAt('/').routesByPath);
  const filledIn = (path: string) =>
    path.replace('/patch-repository/$child', '/patch-repository/kb-base').replaceAll(/\$\w*/g, '7');

  test('every path below /patch-repository asks for a session; no other does', async () => {
    const asked = await Promise.all(
      paths.map(async (path) => {
        const router = routerAt(filledIn(path));
        await router.load();
        return [
          path,
          Object.hasOwn(router.state.location.search as object, 'redirectFrom'),
        ] as const;
      }),
    );
    expect(asked.filter(([, guarded]) => guarded).map(([path]) => path)).toEqual(
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

describe('the layout', () => {
  const frame = () =>
    screen.queryByRole('navigation', { name: 'Main' }) === null ? 'public' : 'main';

  test('is the login page’s without a session, wherever one wanted to go', async () => {
    await open('/patch-repository/kb-base');
    expect(frame()).toBe('public');
  });

  test('is the main one for who is signed in', async () => {
    signIn('token of layouts', user);
    await open('/patch-repository/kb-base');
    expect(frame()).toBe('main');
    expect(screen.getByRole('heading', { level: 1 }).textContent).toContain('KB base');
  });

  test.each(['/404', '/500', '/upgrade', '/activate/AB12', '/auth/approval'])(
    'is the one that %s says for itself, signed in or not',
    async (path) => {
      signIn('token of own layouts', user);
      await open(path);
      expect(frame()).toBe('public');
    },
  );
});

test.each(['/patch-repository/no-such-list', '/patch-repository/no-such-list/record/5'])(
  '%s names a list that is not there: the page that is not found says so',
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
    name: `Search ${listOfKey('kb_repository').label}`,
  });
  fireEvent.change(box, { target: { value: 'half a word' } });
  await waitFor(() => expect(searched).toHaveLength(1));

  // Another path: another list, of which nothing was typed or chosen.
  await act(() =>
    router.navigate({ to: '/patch-repository/$child', params: { child: 'debian-patch' } }),
  );
  const other = await screen.findByRole<HTMLInputElement>('combobox', {
    name: `Search ${listOfKey('debian_patch').label}`,
  });
  expect(other.value).toBe('');
  expect(
    screen.queryByRole('combobox', { name: `Search ${listOfKey('kb_repository').label}` }),
  ).toBeNull();
  await waitFor(() => expect(searched).toHaveLength(2));

  // The same path, asking something else.
  await act(() =>
    router.navigate({
      to: '/patch-repository/$child',
      params: { child: 'debian-patch' },
      search: { keyword: 'openssl' },
    }),
  );
  await waitFor(() => expect(searched.at(-1)).toContain('"keyword":"openssl"'));
  expect(screen.getByText('openssl')).toBeTruthy();
});
