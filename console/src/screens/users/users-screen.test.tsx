import { specified } from '@patch/catalogue/testing/specified.ts';
import type { SignedInUser } from '@patch/contract/sign-in-endpoints.ts';
import type { User } from '@patch/contract/user-endpoints.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { newQueryClient } from '../../api/query-client.ts';
import { session, signIn, signOut } from '../../api/session.ts';
import { ReaderZone } from '../../values/reader-zone.ts';
import { ConfirmHost } from '../../widgets/confirm-modal.tsx';
import { ToastHost } from '../../widgets/toast-host.tsx';
import { UsersScreen } from './users-screen.tsx';

const admin: SignedInUser = {
  id: 1,
  name: 'Operator',
  email: '',
  userType: 'Admin',
  timezone: 'UTC',
  mustChangePassword: false,
};
const standard = {
  email: '',
  userType: 'Standard',
  timezone: null,
  avatar: null,
  canDelete: true,
  lastSignInAt: null,
  createdAt: 0,
  twoFactor: false,
  mustChangePassword: false,
} as const;
const operator: User = {
  ...standard,
  id: 1,
  name: 'Operator',
  userType: 'Admin',
  canDelete: false,
  lastSignInAt: Date.now() - 7_200_000,
};
const jane: User = {
  ...standard,
  id: 2,
  name: 'Second Operator',
  email: 'jane@example.org',
  mustChangePassword: true,
};

type Sent = { readonly body: unknown; readonly query: URLSearchParams };
let answers: Record<string, (sent: Sent) => Response>;
let asked: string[];
const answer = (body: object, status = 200) => new Response(JSON.stringify(body), { status });
const refusal = (userMessage: string, status: number, code: string) =>
  answer({ userMessage, code, requestId: 'r7' }, status);

beforeEach(() => {
  signIn('token', admin);
  asked = [];
  answers = {
    'POST /user/all': () => answer({ objectList: [operator, jane], totalCount: 2 }),
    'GET /user/passwordpolicy': () =>
      answer({
        minLength: 8,
        enableSpecialChar: false,
        enableAlphabetAndNumber: false,
        enableMixCase: false,
      }),
  };
  vi.stubGlobal('fetch', async (address: string, { method = 'GET', body }: RequestInit = {}) => {
    const { pathname, searchParams } = new URL(address, 'http://console');
    const call = `${method} ${pathname.replace('/api', '')}`;
    asked.push(call);
    const sent = typeof body === 'string' ? (JSON.parse(body) as unknown) : body;
    return (
      answers[call]?.({ body: sent, query: searchParams }) ??
      refusal('Nothing there.', 404, 'nothing')
    );
  });
});
afterEach(() => {
  signOut();
  vi.unstubAllGlobals();
});

async function open(
  at = '/',
  there: () => Promise<unknown> = () => screen.findByRole('button', { name: 'Operator' }),
) {
  const router = createRouter({
    routeTree: createRootRoute({
      component: () => (
        <>
          <UsersScreen />
          <ConfirmHost />
          <ToastHost />
        </>
      ),
    }),
    history: createMemoryHistory({ initialEntries: [at] }),
  });
  render(
    <QueryClientProvider client={newQueryClient()}>
      <ReaderZone value="UTC">
        <RouterProvider router={router as never} />
      </ReaderZone>
    </QueryClientProvider>,
  );
  await there();
  return router;
}

const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }));
const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
const names = () =>
  within(screen.getByRole('table', { name: 'Users' }))
    .getAllByRole('row')
    .slice(1)
    .map((row) => within(row).getByRole('button').textContent);

describe('the list of users', () => {
  it('is the administrators’: others are told so, and offered nothing', async () => {
    signIn('token', { ...admin, userType: 'Standard' });
    answers['POST /user/all'] = () => refusal('Only administrators may do this.', 403, 'forbidden');
    await open('/', () => screen.findByText('Only administrators may do this.'));
    for (const name of ['API keys', 'New user'])
      expect(screen.queryByRole('button', { name })).toBeNull();
  });

  it('shows who they are, and which is oneself', async () => {
    await open();
    expect(screen.getByText('2 users')).toBeTruthy();
    expect(names()).toEqual(['Operator', 'Second Operator']);
    const [, own, other] = screen.getAllByRole('row');
    expect(own?.textContent).toContain('you');
    expect(own?.textContent).toContain('2 hours ago');
    expect(other?.textContent).toContain('never');
    expect(other?.textContent).toContain('new');
  });

  it('is sorted, searched and paged by the server', async () => {
    const router = await open();
    const lastAsked = vi.fn<(sent: Sent) => void>();
    answers['POST /user/all'] = (sent) => {
      lastAsked(sent);
      return answer({ objectList: [operator], totalCount: 60 });
    };
    press('Email');
    await waitFor(() => expect(lastAsked.mock.lastCall?.[0].query.get('sort')).toBe('email'));
    await screen.findByText('60 users');
    press('Next page');
    await waitFor(() =>
      expect(lastAsked.mock.lastCall?.[0].query.get('offset')).toBe(`${specified.pageSizes.crud}`),
    );
    fireEvent.change(screen.getByLabelText('Search users'), { target: { value: 'oper' } });
    await waitFor(() => expect(lastAsked.mock.lastCall?.[0].body).toEqual({ keyword: 'oper' }));
    expect(lastAsked.mock.lastCall?.[0].query.get('offset')).toBe('0');
    expect(router.state.location.search).toEqual({ keyword: 'oper', sort: 'email' });
  });

  it('says so when nobody is found, and when it cannot be loaded', async () => {
    await open();
    answers['POST /user/all'] = () => answer({ objectList: [], totalCount: 0 });
    fireEvent.change(screen.getByLabelText('Search users'), { target: { value: 'nobody' } });
    expect(await screen.findByText('No Data Found.')).toBeTruthy();
    answers['POST /user/all'] = () =>
      refusal('Only an administrator may do this.', 403, 'not_allowed');
    press('Clear the search');
    const denied = within(
      (await screen.findByText('You don’t have access to Users')).closest('section') as HTMLElement,
    );
    expect(denied.getByRole('link', { name: 'Go to home' }).getAttribute('href')).toBe(
      '/patch-repository',
    );
    expect(denied.queryByRole('button', { name: 'Reload' })).toBeNull();
  });
});

describe('a new user', () => {
  it('is invited by mail, and comes last in the list', async () => {
    await open();
    const sent = vi.fn<(body: unknown) => void>();
    answers['POST /user'] = ({ body }) => {
      sent(body);
      return answer(
        { ...standard, id: 3, name: 'Ann', email: 'ann@example.org', mustChangePassword: true },
        201,
      );
    };
    press('New user');
    fireEvent.change(await screen.findByLabelText('Name'), { target: { value: 'Ann' } });
    type('Email', 'ann@example.org');
    await waitFor(() =>
      expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Create user' }).disabled).toBe(
        false,
      ),
    );
    press('Create user');
    expect(
      await screen.findByText('Ann is created. An invitation is on its way to ann@example.org.'),
    ).toBeTruthy();
    expect(sent).toHaveBeenCalledExactlyOnceWith({
      name: 'Ann',
      email: 'ann@example.org',
      userType: 'Standard',
      timezone: null,
    });
    await waitFor(() => expect(names()).toEqual(['Operator', 'Second Operator', 'Ann']));
    expect(asked.filter((call) => call === 'POST /user/all')).toHaveLength(1);
  });

  it('has a password that meets the policy, and what the server refuses stands at its field', async () => {
    await open();
    const sent = vi.fn<(body: unknown) => void>();
    answers['POST /user'] = ({ body }) => {
      sent(body);
      return refusal("Someone is named 'Jane' already.", 409, 'name_taken');
    };
    press('New user');
    fireEvent.change(await screen.findByLabelText('Name'), { target: { value: 'Jane' } });
    fireEvent.click(screen.getByLabelText('Set a password'));
    fireEvent.change(await screen.findByLabelText('Password'), { target: { value: 'short' } });
    press('Create user');
    expect(await screen.findByText("Password doesn't match the required criterias.")).toBeTruthy();
    expect(sent).not.toHaveBeenCalled();
    type('Password', 'long enough');
    press('Create user');
    expect(await screen.findByText("Someone is named 'Jane' already.")).toBeTruthy();
    expect(sent).toHaveBeenCalledExactlyOnceWith({
      name: 'Jane',
      email: '',
      userType: 'Standard',
      timezone: null,
      password: 'long enough',
    });
  });
});

describe('a user', () => {
  it('is changed in a drawer, and in the list', async () => {
    const router = await open();
    const sent = vi.fn<(body: unknown) => void>();
    answers['PUT /user/2'] = ({ body }) => {
      sent(body);
      return answer({ ...jane, ...(body as object) });
    };
    press('Second Operator');
    fireEvent.change(await screen.findByDisplayValue('Second Operator'), {
      target: { value: 'Third Operator' },
    });
    await waitFor(() =>
      expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(false),
    );
    press('Save');
    expect(await screen.findByText('Third Operator is saved.')).toBeTruthy();
    expect(sent).toHaveBeenCalledExactlyOnceWith({ name: 'Third Operator' });
    await waitFor(() => expect(names()).toEqual(['Operator', 'Third Operator']));
    expect(router.state.location.search).toEqual({ user: 2 });
  });

  it('is removed once that is confirmed, and the drawer closes', async () => {
    const router = await open('/?user=2');
    answers['DELETE /user/2'] = () => answer({ message: 'Second Operator has been removed.' });
    fireEvent.click(await screen.findByRole('button', { name: 'Remove user' }));
    expect(await screen.findByText('Remove Second Operator?')).toBeTruthy();
    fireEvent.click(await screen.findByRole('button', { name: 'Remove' }));
    expect(await screen.findByText('Second Operator has been removed.')).toBeTruthy();
    await waitFor(() => expect(router.state.location.search).toEqual({}));
    await waitFor(() => expect(names()).toEqual(['Operator']));
  });

  it('cannot be removed when it is oneself, nor change the own type', async () => {
    await open('/?user=1');
    expect((await screen.findByLabelText<HTMLInputElement>('Standard')).disabled).toBe(true);
    expect(screen.queryByRole('button', { name: 'Remove user' })).toBeNull();
    expect(screen.queryByLabelText('New password')).toBeNull();
  });

  it('gets a picture, which can be removed once that is confirmed', async () => {
    await open('/?user=1');
    answers['PUT /user/1/avatar'] = ({ body }) =>
      answer({ avatar: body instanceof File ? 'picture.png' : null });
    answers['DELETE /user/1/avatar'] = () => answer({ avatar: null });
    answers['GET /me'] = () => answer({ ...admin, avatar: 'picture.png' });
    const choose = (file: File) =>
      fireEvent.change(screen.getByLabelText('Picture of Operator'), { target: { files: [file] } });
    await screen.findByLabelText('Picture of Operator');
    choose(new File([new Uint8Array(1024 * 1024 + 1)], 'large.png'));
    expect(await screen.findByText('The picture may be at most 1 MB.')).toBeTruthy();
    expect(asked).not.toContain('PUT /user/1/avatar');

    choose(new File(['picture'], 'me.png'));
    await screen.findByText('The picture is saved.');
    const pictures = () =>
      [...document.querySelectorAll('img')].map(({ src }) => new URL(src).pathname);
    await waitFor(() =>
      expect(new Set(pictures())).toEqual(new Set(['/api/public/renderImage/picture.png'])),
    );
    await waitFor(() => expect(session().user?.avatar).toBe('picture.png'));

    fireEvent.click(screen.getByRole('button', { name: 'Remove' }));
    expect(await screen.findByText('Are you sure?')).toBeTruthy();
    expect(screen.getByText(specified.errors.removeFile)).toBeTruthy();
    fireEvent.click(await screen.findByRole('button', { name: 'Yes' }));
    await waitFor(() => expect(pictures()).toEqual([]));
  });
});

describe('the access of a user', () => {
  it('is told where they are signed in, and signed out there', async () => {
    let left = [
      {
        id: 7,
        address: '192.0.2.8',
        userAgent: 'curl/8',
        startedAt: 0,
        lastUsedAt: 0,
        expiresAt: 9,
        current: false,
      },
      {
        id: 8,
        address: '192.0.2.9',
        userAgent: 'Firefox/140 (Linux)',
        startedAt: 0,
        lastUsedAt: 0,
        expiresAt: 9,
        current: false,
      },
    ];
    answers['GET /user/2/sessions'] = () => answer({ objList: left, totalCount: left.length });
    answers['DELETE /user/2/sessions/7'] = () => {
      left = left.slice(1);
      return answer({ ended: 1 });
    };
    answers['DELETE /user/2/sessions'] = () => {
      left = [];
      return answer({ ended: 1 });
    };
    await open('/?user=2&tab=sessions');
    fireEvent.click(await screen.findByRole('button', { name: /^End the session of curl/ }));
    await waitFor(() =>
      expect(screen.getAllByRole('button', { name: /^End the session/ })).toHaveLength(1),
    );
    expect(screen.getByText('Firefox on Linux', { selector: 'strong' })).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'End all' }));
    expect(await screen.findByText('End Second Operator’s sessions?')).toBeTruthy();
    fireEvent.click(await screen.findByRole('button', { name: 'End them' }));
    expect(await screen.findByText('No active sessions.')).toBeTruthy();
  });

  it('has API keys, and so has everybody', async () => {
    const key = {
      id: 5,
      name: 'Reports',
      prefix: 'prk_AbCdEf',
      scopes: ['read'],
      ownerId: 2,
      ownerName: 'Second Operator',
      createdAt: 0,
      expiresAt: 1,
      lastUsedAt: null,
    };
    let left = [key];
    answers['GET /apikeys'] = () => answer({ objList: left, totalCount: left.length });
    answers['DELETE /apikeys/5'] = () => {
      left = [];
      return answer({ message: 'ended' });
    };
    await open('/?show=keys');
    const row = await screen.findByText('prk_AbCdEf…');
    expect(row.closest('li')?.textContent).toMatch(/Second Operator.*read.*not used yet · expired/);
    fireEvent.click(screen.getByRole('button', { name: 'Revoke the API key Reports' }));
    expect(await screen.findByText('Revoke the API key Reports of Second Operator?')).toBeTruthy();
    fireEvent.click(await screen.findByRole('button', { name: 'Revoke' }));
    expect(await screen.findByText('No API keys.')).toBeTruthy();
  });
});
