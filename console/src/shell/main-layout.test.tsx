import { specified } from '@patch/catalogue/testing/specified.ts';
import type { SignedInUser } from '@patch/contract/sign-in-endpoints.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router';
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { newQueryClient } from '../api/query-client.ts';
import { session, signIn, signOut } from '../api/session.ts';
import { variablesSheet } from '../theme/css-variables.ts';
import { ToastHost } from '../widgets/toast-host.tsx';
import { followSignOut } from './follow-sign-out.ts';
import { newRouter } from './router.tsx';

const user: SignedInUser = {
  id: 1,
  name: 'operator',
  email: '',
  userType: 'Admin',
  timezone: null,
  mustChangePassword: false,
};
const policy = {
  minLength: 8,
  enableSpecialChar: true,
  enableAlphabetAndNumber: true,
  enableMixCase: true,
};
let frame: object = {};
const sent: { readonly path: string; readonly body: unknown }[] = [];

beforeEach(() => {
  sent.length = 0;
  frame = {};
  vi.stubGlobal('scrollTo', () => {});
  vi.stubGlobal('fetch', async (address: string, init: RequestInit = {}) => {
    const path = new URL(address, 'http://console').pathname.replace('/api', '');
    if (typeof init.body === 'string') sent.push({ path, body: JSON.parse(init.body) as unknown });
    if (path === '/preference/frame') frame = JSON.parse(init.body as string) as object;
    const answers: Record<string, object> = {
      '/me': user,
      '/preference': { preferences: {}, frame },
      '/preference/frame': { preferences: {}, frame },
      '/patchsync/sources': { objList: [], totalCount: 0 },
      '/user/passwordpolicy': policy,
      '/user/changepassword': { message: specified.passwordChanged },
      '/signout': { message: 'Signed out.' },
    };
    const answer = answers[path];
    return new Response(
      JSON.stringify(answer ?? { userMessage: 'Not here.', code: 'none', requestId: 'r1' }),
      {
        status: answer ? 200 : 404,
      },
    );
  });
  signIn('token', user);
});

afterEach(() => {
  signOut();
  vi.unstubAllGlobals();
});

async function open(path = '/patch-repository/sync') {
  const queryClient = newQueryClient();
  const router = newRouter(createMemoryHistory({ initialEntries: [path] }));
  followSignOut(router, queryClient);
  render(
    <QueryClientProvider client={queryClient}>
      <ToastHost />
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  const home = await screen.findByRole(
    'link',
    { name: 'Patch Repository, home' },
    { timeout: 10_000 },
  );
  const header = within(home.closest('header') as HTMLElement);
  return { header, router, queryClient };
}

describe('the header', () => {
  it('has the menu’s toggle, the logo as the way home, and for who is signed in password, email and sign-out', async () => {
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
    fireEvent.click(toggle);
    expect(
      header.getByRole('button', { name: 'Expand the menu' }).getAttribute('aria-expanded'),
    ).toBe('false');
    fireEvent.click(header.getByRole('button', { name: 'Expand the menu' }));
  });

  it('has a login button for who is not signed in, which says where it comes from', async () => {
    signOut();
    const router = newRouter(createMemoryHistory({ initialEntries: ['/404'] }));
    render(
      <QueryClientProvider client={newQueryClient()}>
        <RouterProvider router={router} />
      </QueryClientProvider>,
    );
    const login = await screen.findByRole('link', { name: 'Login' }, { timeout: 10_000 });
    expect(login.getAttribute('href')).toBe(
      `${specified.loginButton.path}?${specified.loginButton.parameter}`,
    );
  });

  it('signs out: the session is forgotten, and the login page knows the way back', async () => {
    const { header, router, queryClient } = await open('/patch-repository/sync?source=debian');
    await waitFor(() => expect(queryClient.getQueryCache().getAll()).not.toEqual([]));
    expect(localStorage.length).toBeGreaterThan(0);
    fireEvent.click(header.getByRole('button', { name: 'Sign out' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/login'), { timeout: 10_000 });
    expect(session()).toEqual({
      user: null,
      token: null,
      loginType: specified.session.defaultLoginType,
    });
    expect(router.state.location.search).toMatchObject({
      [specified.returnParameter]: '/patch-repository/sync?source=debian',
    });
    // All else that was stored of the person: here and in what was loaded.
    expect(Object.keys(localStorage)).toEqual([]);
    expect(sessionStorage).toHaveLength(0);
    await waitFor(() => expect(queryClient.getQueryCache().getAll()).toEqual([]));
  });
});

it('the sidebar is 50 wide collapsed and 170 expanded, and stays as it was left', async () => {
  const { collapsed, expanded } = specified.sidebar;
  expect(variablesSheet).toContain(`--sidebar-collapsed:${collapsed}px;`);
  expect(variablesSheet).toContain(`--sidebar-expanded:${expanded}px;`);
  const { header } = await open();
  const nav = screen.getByRole('navigation', { name: 'Main' });
  expect(nav.dataset['collapsed']).toBeUndefined();
  fireEvent.click(header.getByRole('button', { name: 'Collapse the menu' }));
  expect(nav.dataset['collapsed']).toBe('true');
  expect(sent.at(-1)).toEqual({ path: '/preference/frame', body: { sidebar: 'collapsed' } });
  // The next visit, in any browser.
  cleanup();
  signOut();
  signIn('another', user);
  const { header: again } = await open();
  expect(screen.getByRole('navigation', { name: 'Main' }).dataset['collapsed']).toBe('true');
  fireEvent.click(again.getByRole('button', { name: 'Expand the menu' }));
  expect(sent.at(-1)?.body).toEqual({ sidebar: 'expanded' });
});

describe('the change-password drawer', () => {
  const labels = specified.changePasswordFields.map((name) =>
    name.replace(/^./, (letter) => letter.toUpperCase()),
  );
  async function drawer() {
    const { header, router } = await open();
    fireEvent.click(header.getByRole('button', { name: 'Change password' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    const dialog = within(await screen.findByRole('dialog', {}, { timeout: 10_000 }));
    await dialog.findByLabelText('Current password');
    return { dialog, router };
  }
  const type = (field: HTMLElement, value: string) =>
    fireEvent.change(field, { target: { value } });

  it('opens 400 ms after its trigger, with inputs that are read-only until they have the focus, Update and Cancel', async () => {
    const { dialog } = await drawer();
    const current = dialog.getByLabelText<HTMLInputElement>('Current password');
    expect(current.readOnly).toBe(true);
    fireEvent.focus(current);
    expect(current.readOnly).toBe(false);
    expect(current.type).toBe('password');
    const [update, cancel] = specified.changePasswordButtons;
    expect(dialog.getByRole('button', { name: update })).toBeTruthy();
    expect(
      screen.getByRole('dialog').closest<HTMLElement>('.ant-drawer-content-wrapper')?.style.width,
    ).toBe(specified.drawerWidth);
    fireEvent.click(dialog.getByRole('button', { name: cancel }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sent).toEqual([]);

    // Its parts are here now: only the delay is waited for.
    const trigger = screen.getByRole('button', { name: 'Change password' });
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    fireEvent.click(trigger);
    await act(() => vi.advanceTimersByTimeAsync(specified.times.changePasswordOpens - 1));
    expect(screen.queryByRole('dialog')).toBeNull();
    await act(() => vi.advanceTimersByTimeAsync(1));
    expect(screen.queryByRole('dialog')).not.toBeNull();
  });

  it('asks for all three, and that the last two agree; an invalid form says so', async () => {
    const { dialog } = await drawer();
    fireEvent.click(dialog.getByRole('button', { name: 'Update' }));
    for (const name of labels) {
      expect(await dialog.findByText(`${name} field is required`)).toBeTruthy();
    }
    expect(await screen.findByText(specified.messages.formInvalid)).toBeTruthy();
    type(dialog.getByLabelText('New password'), 'Another-Horse-8');
    type(dialog.getByLabelText('Confirm password'), 'Another-Horse-9');
    expect(await dialog.findByText('Confirm password confirmation does not match')).toBeTruthy();
    expect(sent).toEqual([]);
  });

  it('changes it: the call has two passwords, the person is signed out and asked to sign in', async () => {
    const { dialog, router } = await drawer();
    type(dialog.getByLabelText('Current password'), 'Old-Horse-7');
    type(dialog.getByLabelText('New password'), 'Another-Horse-8');
    type(dialog.getByLabelText('Confirm password'), 'Another-Horse-8');
    fireEvent.click(dialog.getByRole('button', { name: 'Update' }));
    await waitFor(() => expect(session().token).toBeNull(), { timeout: 10_000 });
    expect(sent).toEqual([
      {
        path: '/user/changepassword',
        body: { oldPassword: 'Old-Horse-7', newPassword: 'Another-Horse-8' },
      },
    ]);
    expect(Object.keys(sent[0]?.body as object)).toEqual(specified.changePasswordPayload);
    await waitFor(() => expect(router.state.location.pathname).toBe('/login'), { timeout: 10_000 });
    expect(await screen.findByText(specified.passwordChanged)).toBeTruthy();
  });
});
