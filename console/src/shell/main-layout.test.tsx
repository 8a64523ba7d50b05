import { specified } from '@patch/catalogue/testing/specified.ts';
import {
  changePasswordEndpoint,
  passwordPolicyEndpoint,
  signOutEndpoint,
} from '@patch/contract/accounts/sign-in-endpoints.ts';
import type { FramePreference } from '@patch/contract/operations/preference-endpoints.ts';
import {
  preferencesEndpoint,
  saveFramePreferenceEndpoint,
} from '@patch/contract/operations/preference-endpoints.ts';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { session, signIn, signOut } from '../api/session.ts';
import { emptyService } from '../testing/empty-service.ts';
import { reply, sentCalls } from '../testing/fake-api.ts';
import { fillIn, person } from '../testing/person.ts';
import { renderApp } from '../testing/render-app.tsx';
import { buildPasswordPolicy } from '../testing/service-values.ts';
import { signedInUser } from '../testing/sign-in-as.ts';
import { variablesSheet } from '../theme/css-variables.ts';

const user = signedInUser({ name: 'operator', timezone: null });
const policy = buildPasswordPolicy();
let frame: FramePreference = {};
const sent = () => sentCalls().flatMap(({ path, body }) => (body === null ? [] : [{ path, body }]));
const replies = emptyService(user);

beforeEach(() => {
  frame = {};
  signIn('token', user);
});

async function open(path = '/patch-repository/sync') {
  const { router, queryClient } = await renderApp({
    path,
    replies: [
      reply(preferencesEndpoint, () => ({ preferences: {}, frame })),
      reply(saveFramePreferenceEndpoint, ({ body }) => {
        frame = body as FramePreference;
        return { preferences: {}, frame };
      }),
      reply(passwordPolicyEndpoint, policy),
      reply(changePasswordEndpoint, { message: specified.passwordChanged }),
      reply(signOutEndpoint, { message: 'Signed out.' }),
      ...replies,
    ],
  });
  const home = await screen.findByRole(
    'link',
    { name: 'Patch Repository, home' },
    { timeout: 10_000 },
  );
  const header = within(home.closest('header') as HTMLElement);
  return { header, router, queryClient };
}

describe('header', () => {
  it('marks one link of the header as current, and the name of the installation only at home', async () => {
    const { header } = await open('/patch-repository/all-patches');
    const current = header.getAllByRole('link', { current: 'page' });
    expect(current.map(({ textContent }) => textContent)).toEqual(['All patches']);
  });

  it('has the menu toggle, the home logo, and password, email and sign-out for a signed-in user', async () => {
    const { header } = await open();
    expect(header.getByRole('link', { name: 'Patch Repository, home' }).getAttribute('href')).toBe(
      '/patch-repository',
    );
    expect(header.getByRole('link', { name: 'Email' }).getAttribute('href')).toBe(
      '/patch-repository/email-configuration',
    );
    for (const name of ['Change password', 'Sign out'])
      expect(header.getByRole('button', { name })).toBeTruthy();
    const toggle = header.getByRole('button', { name: 'Collapse the menu' });
    expect(toggle.getAttribute('aria-expanded')).toBe('true');
    await person.click(toggle);
    expect(
      header.getByRole('button', { name: 'Expand the menu' }).getAttribute('aria-expanded'),
    ).toBe('false');
    await person.click(header.getByRole('button', { name: 'Expand the menu' }));
  });

  it('has the search, and links to the screens of the overview', async () => {
    const { header } = await open();
    expect(header.getByRole('button', { name: /^Search/ })).toBeTruthy();
    const overview = within(header.getByRole('navigation', { name: 'Overview' }));
    const dashboard = overview.getByRole('link', { name: 'Dashboard' });
    expect(dashboard.getAttribute('href')).toBe('/patch-repository/dashboard');
  });

  it('has a login button for a signed-out user, with the way back', async () => {
    signOut();
    await renderApp({ path: '/404', replies });
    const login = await screen.findByRole('link', { name: 'Login' }, { timeout: 10_000 });
    expect(login.getAttribute('href')).toBe(
      `${specified.loginButton.path}?${specified.loginButton.parameter}`,
    );
  });

  it('signs out: clears the session, and the login page has the way back', async () => {
    const { header, router, queryClient } = await open('/patch-repository/sync?source=debian');
    await waitFor(() => expect(queryClient.getQueryCache().getAll()).not.toEqual([]));
    expect(localStorage.length).toBeGreaterThan(0);
    await person.click(header.getByRole('button', { name: 'Sign out' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/login'), { timeout: 10_000 });
    expect(session()).toEqual({
      user: null,
      token: null,
      loginType: specified.session.defaultLoginType,
    });
    expect(router.state.location.search).toMatchObject({
      [specified.returnParameter]: '/patch-repository/sync?source=debian',
    });
    // The loaded data and everything stored for the user are gone as well.
    expect(Object.keys(localStorage)).toEqual([]);
    expect(sessionStorage).toHaveLength(0);
    await waitFor(() => expect(queryClient.getQueryCache().getAll()).toEqual([]));
  });
});

it('shows administration in a group of the sidebar, with the email configuration', async () => {
  await open();
  const nav = within(screen.getByRole('navigation', { name: 'Main' }));
  const headings = nav.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);
  expect(headings).toEqual(['Overview', 'Catalogue', 'Administration']);
  const group = within(nav.getByRole('list', { name: 'Administration' }));
  expect(group.getByRole('link', { name: 'Email' }).getAttribute('href')).toBe(
    '/patch-repository/email-configuration',
  );
});

it('shows a sidebar of 50 collapsed or 170 expanded, and remembers the choice', async () => {
  const { collapsed, expanded } = specified.sidebar;
  expect(variablesSheet).toContain(`--sidebar-collapsed:${collapsed}px;`);
  expect(variablesSheet).toContain(`--sidebar-expanded:${expanded}px;`);
  const { header } = await open();
  const nav = screen.getByRole('navigation', { name: 'Main' });
  expect(nav.dataset['collapsed']).toBeUndefined();
  await person.click(header.getByRole('button', { name: 'Collapse the menu' }));
  expect(nav.dataset['collapsed']).toBe('true');
  expect(sent().at(-1)).toEqual({ path: '/preference/frame', body: { sidebar: 'collapsed' } });
  // The next visit, in any browser.
  cleanup();
  signOut();
  signIn('another', user);
  const { header: again } = await open();
  expect(screen.getByRole('navigation', { name: 'Main' }).dataset['collapsed']).toBe('true');
  await person.click(again.getByRole('button', { name: 'Expand the menu' }));
  expect(sent().at(-1)?.body).toEqual({ sidebar: 'expanded' });
});

describe('keys of every page', () => {
  it('opens the command box on Ctrl-K, which accepts the next keys', async () => {
    const { router } = await open();
    await person.keyboard('{Control>}k{/Control}debian{Enter}');
    await waitFor(() =>
      expect(router.state.location.pathname).toBe('/patch-repository/debian-patch'),
    );
    expect(screen.queryByRole('combobox', { name: 'Identifier, screen or command' })).toBeNull();
  });

  it('shows shortcuts and page actions on a question mark', async () => {
    await open('/patch-repository/users');
    await screen.findByRole('button', { name: 'New user' });
    await person.keyboard('?');
    const dialog = within(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' }));
    expect(dialog.getByText('Ctrl K', { selector: 'dt kbd' })).toBeTruthy();
    const actions = within(dialog.getByRole('region', { name: 'On this page' }));
    expect(actions.getByText('New user')).toBeTruthy();
  });
});

describe('change-password drawer', () => {
  const labels = specified.changePasswordFields.map((name) =>
    name.replace(/^./, (letter) => letter.toUpperCase()),
  );
  async function drawer() {
    const { header, router } = await open();
    await person.click(header.getByRole('button', { name: 'Change password' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    const dialog = within(await screen.findByRole('dialog', {}, { timeout: 10_000 }));
    await dialog.findByLabelText('Current password');
    return { dialog, router };
  }
  const type = (field: HTMLElement, value: string) => fillIn(field, value);

  it('opens after 400 ms with inputs that are read-only until focused, Update and Cancel', async () => {
    const { dialog } = await drawer();
    const current = dialog.getByLabelText<HTMLInputElement>('Current password');
    expect(current.readOnly).toBe(true);
    act(() => current.focus());
    expect(current.readOnly).toBe(false);
    expect(current.type).toBe('password');
    const [update, cancel] = specified.changePasswordButtons;
    expect(dialog.getByRole('button', { name: update })).toBeTruthy();
    expect(
      screen.getByRole('dialog').closest<HTMLElement>('.ant-drawer-content-wrapper')?.style.width,
    ).toBe(specified.drawerWidth);
    await person.click(dialog.getByRole('button', { name: cancel }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sent()).toEqual([]);

    // The drawer's chunks are loaded, so only the delay remains.
    const trigger = screen.getByRole('button', { name: 'Change password' });
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    await person.click(trigger);
    await act(() => vi.advanceTimersByTimeAsync(specified.times.changePasswordOpens - 1));
    expect(screen.queryByRole('dialog')).toBeNull();
    await act(() => vi.advanceTimersByTimeAsync(1));
    expect(screen.queryByRole('dialog')).not.toBeNull();
  });

  it('requires all three fields and a matching confirmation, and reports an invalid form', async () => {
    const { dialog } = await drawer();
    await person.click(dialog.getByRole('button', { name: 'Update' }));
    for (const name of labels) {
      expect(await dialog.findByText(`${name} field is required`)).toBeTruthy();
    }
    expect(await screen.findByText(specified.messages.formInvalid)).toBeTruthy();
    await type(dialog.getByLabelText('New password'), 'Another-Horse-8');
    await type(dialog.getByLabelText('Confirm password'), 'Another-Horse-9');
    expect(await dialog.findByText('Confirm password confirmation does not match')).toBeTruthy();
    expect(sent()).toEqual([]);
  });

  it('sends both passwords, signs the user out and asks them to sign in', async () => {
    const { dialog, router } = await drawer();
    await type(dialog.getByLabelText('Current password'), 'Old-Horse-7');
    await type(dialog.getByLabelText('New password'), 'Another-Horse-8');
    await type(dialog.getByLabelText('Confirm password'), 'Another-Horse-8');
    await person.click(dialog.getByRole('button', { name: 'Update' }));
    await waitFor(() => expect(session().token).toBeNull(), { timeout: 10_000 });
    expect(sent()).toEqual([
      {
        path: '/user/changepassword',
        body: { oldPassword: 'Old-Horse-7', newPassword: 'Another-Horse-8' },
      },
    ]);
    expect(Object.keys(sent()[0]?.body as object)).toEqual(specified.changePasswordPayload);
    await waitFor(() => expect(router.state.location.pathname).toBe('/login'), { timeout: 10_000 });
    expect(await screen.findByText(specified.passwordChanged)).toBeTruthy();
  });
});
