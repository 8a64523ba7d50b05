import { endpoints } from '@patch/contract/endpoints.ts';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { emptyService } from '../testing/empty-service.ts';
import { sentCalls } from '../testing/fake-api.ts';
import { person } from '../testing/person.ts';
import { renderApp } from '../testing/render-app.tsx';
import { signedInUser } from '../testing/sign-in-as.ts';
import { jumpTargets } from './jump-targets.ts';

const stan = signedInUser({ id: 2, name: 'stan', userType: 'Standard' });
/** Calls that were made and that the contract keeps for administrators. */
const refused = () =>
  sentCalls().filter((call) =>
    endpoints.some(
      ({ access, method, path }) =>
        access === 'admin' &&
        method === call.method &&
        new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(call.path),
    ),
  );

async function open(path: string) {
  const { router } = await renderApp({ path, session: stan, replies: emptyService(stan) });
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
    await person.click(screen.getByRole('button', { name: /user menu/ }));
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
    expect(refused()).toEqual([]);
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
      expect(refused()).toEqual([]);
    },
  );
});
