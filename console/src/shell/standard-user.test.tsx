import { may, type UserType } from '@patch/contract/base/user-types.ts';
import { endpoints } from '@patch/contract/endpoints.ts';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { emptyService } from '../testing/empty-service.ts';
import { sentTo } from '../testing/fake-api.ts';
import { person } from '../testing/person.ts';
import { renderApp } from '../testing/render-app.tsx';
import { signedInUser } from '../testing/sign-in-as.ts';
import { findScreens } from './jump-commands.ts';

const standardUser = signedInUser({ id: 2, name: 'stan', userType: 'Standard' });
/** Returns the calls that the contract reserves for users of other types. */
const refused = (userType: UserType = 'Standard') =>
  endpoints.flatMap((endpoint) => {
    const { access } = endpoint;
    return access === 'public' || access === 'client' || may(userType, access)
      ? []
      : sentTo(endpoint);
  });

async function open(path: string, session = standardUser) {
  const { router } = await renderApp({ path, session, replies: emptyService(session) });
  await screen.findByRole('navigation', { name: 'Main' });
  return router;
}

const linksIn = (element: HTMLElement) =>
  within(element)
    .getAllByRole('link')
    .map((link) => link.getAttribute('href') ?? '')
    .filter((path) => path.startsWith('/'));

const deniedPaths = [
  'email-configuration',
  'audit',
  'users',
  'sso-configuration',
  'downloads',
  'configuration',
];

test.each([
  ['Operator', 'exceptions', []],
  ['Operator', 'assignments', []],
  ['Operator', 'plans', []],
  ['Operator', 'groups', []],
  ['Operator', 'rings', []],
  ['Operator', 'machines', ['Plan updates']],
  ['Approver', 'exceptions', []],
  ['Approver', 'machines', ['Plan updates']],
  ['Approver', 'rings', ['New ring', 'New rule', 'New checkpoint']],
] as const)('%s sees on /%s what they may do, and no more', async (userType, path, offered) => {
  await open(`/patch-repository/${path}`, { ...standardUser, userType });
  const named = /^(Plan updates|Save as group|Tags|Add machines|New .*)$/;
  await waitFor(() => {
    const shown = within(screen.getByRole('main')).queryAllByRole('button', { name: named });
    expect(shown.map(({ textContent }) => textContent)).toEqual(offered);
  });
  expect(refused(userType)).toEqual([]);
});

describe('Standard user', () => {
  test('sees no entry whose requests the server refuses', async () => {
    const router = await open('/patch-repository/sync');
    const offered = new Set([
      ...linksIn(document.body),
      ...findScreens('').map(({ path }) => path),
      ...findScreens('a').map(({ path }) => path),
      ...findScreens('i').map(({ path }) => path),
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
      // Neither the page itself nor its links.
      expect(
        linksIn(document.body).filter((link) =>
          deniedPaths.includes(link.replace('/patch-repository/', '')),
        ),
        path,
      ).toEqual([]);
    }
    expect(refused()).toEqual([]);
  });

  test.each(deniedPaths)(
    'is denied /patch-repository/%s before any request, and offered a link home',
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
