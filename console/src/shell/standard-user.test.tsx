import { endpoints } from '@patch/contract/endpoints.ts';
import type { SignedInUser } from '@patch/contract/sign-in-endpoints.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router';
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { newQueryClient } from '../api/query-client.ts';
import { signIn, signOut } from '../api/session.ts';
import { jumpTargets } from './jump-targets.ts';
import { newRouter } from './router.tsx';

const stan: SignedInUser = {
  id: 2,
  name: 'stan',
  email: '',
  userType: 'Standard',
  timezone: 'UTC',
  mustChangePassword: false,
};
const forAdmins = endpoints.filter(({ access }) => access === 'admin');
/** Calls that were made and that the contract keeps for administrators. */
let refused: string[];

beforeEach(() => {
  refused = [];
  vi.stubGlobal('scrollTo', () => {});
  vi.stubGlobal('fetch', async (address: string, { method = 'GET' }: RequestInit = {}) => {
    const path = new URL(address, 'http://console').pathname.replace('/api', '');
    const isRefused = forAdmins.some(
      (call) =>
        call.method === method &&
        new RegExp(`^${call.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
    );
    if (isRefused) {
      refused.push(`${method} ${path}`);
      return new Response(
        JSON.stringify({ userMessage: 'Not for you.', code: 'not_allowed', requestId: 'r' }),
        { status: 403 },
      );
    }
    const answers: Record<string, object> = {
      '/me': stan,
      '/preference': { preferences: {}, frame: {} },
    };
    return new Response(JSON.stringify(answers[path] ?? { objList: [], totalCount: 0 }));
  });
  signIn('token of stan', stan);
});
afterEach(() => {
  signOut();
  vi.unstubAllGlobals();
});

async function open(path: string) {
  const router = newRouter(createMemoryHistory({ initialEntries: [path] }));
  render(
    <QueryClientProvider client={newQueryClient()}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  await screen.findByRole('navigation', { name: 'Main' });
  return router;
}

const linksIn = (element: HTMLElement) =>
  within(element)
    .getAllByRole('link')
    .map((link) => link.getAttribute('href') ?? '')
    .filter((path) => path.startsWith('/'));

const denied = [
  'email-configuration',
  'audit',
  'users',
  'sso-configuration',
  'downloads',
  'configuration',
];

describe('a Standard user', () => {
  test('sees no entry that leads to what the server refuses', async () => {
    const router = await open('/patch-repository/sync');
    const offered = new Set([
      ...linksIn(document.body),
      ...jumpTargets('').map(({ path }) => path),
      ...jumpTargets('a').map(({ path }) => path),
      ...jumpTargets('i').map(({ path }) => path),
    ]);
    fireEvent.click(screen.getByRole('button', { name: /user menu/ }));
    const menu = (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent);
    expect(menu).toEqual(['My account', 'Change password', 'Sign out']);
    offered.add('/patch-repository/account');
    expect(offered.size).toBeGreaterThan(15);
    for (const path of offered) {
      await router.navigate({ to: path });
      await waitFor(() => expect(router.state.status).toBe('idle'));
      expect(screen.queryByText('Only an administrator may open this page.'), path).toBeNull();
      // Neither the page itself nor what it links to.
      expect(
        linksIn(document.body).filter((link) =>
          denied.includes(link.replace('/patch-repository/', '')),
        ),
        path,
      ).toEqual([]);
    }
    expect(refused).toEqual([]);
  });

  test.each(denied)(
    'is denied /patch-repository/%s before anything is asked, and offered the way home',
    async (child) => {
      await open(`/patch-repository/${child}`);
      const instead = await screen.findByRole('alert');
      expect(instead.textContent).toContain('Only an administrator may open this page.');
      expect(within(instead).getByRole('link', { name: 'Go to home' }).getAttribute('href')).toBe(
        '/patch-repository',
      );
      expect(screen.queryByRole('button', { name: 'Reload' })).toBeNull();
      expect(refused).toEqual([]);
    },
  );
});
