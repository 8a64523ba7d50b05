import type { SignedInUser } from '@patch/contract/sign-in-endpoints.ts';
import type {
  SourceSettings,
  SourceSettingsReply,
} from '@patch/contract/source-settings-endpoints.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterProvider,
  useSearch,
} from '@tanstack/react-router';
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { newQueryClient } from '../../api/query-client.ts';
import { signIn, signOut } from '../../api/session.ts';
import { ConfirmHost } from '../../widgets/confirm-modal.tsx';
import { ToastHost } from '../../widgets/toast-host.tsx';
import { SettingsDrawer } from './settings-drawer.tsx';

const admin: SignedInUser = {
  id: 1,
  name: 'admin',
  email: '',
  userType: 'Admin',
  timezone: 'UTC',
  mustChangePassword: false,
};
const standard: SourceSettings = {
  enabled: true,
  schedule: null,
  mirror: null,
  leftOut: [],
  added: [],
  shrinkageShare: 30,
};
const reply = (settings: Partial<SourceSettings> = {}): SourceSettingsReply => ({
  settings: { ...standard, ...settings },
  standardSchedule: '35 */4 * * *',
  generalMirror: 'https://mirror.example/',
  parts: [
    { key: '8', label: 'AlmaLinux 8', added: false, readAt: null },
    { key: '9', label: 'AlmaLinux 9', added: false, readAt: Date.now() - 7_200_000 },
  ],
  addable: 'a major release, such as 11',
  changedAt: null,
  changedBy: null,
});

const first = Date.UTC(2026, 10, 22, 4, 35);
/** What the server answers, by method and path. */
let answers: Record<string, (sent: unknown, query: URLSearchParams) => Response>;
const sent = vi.fn<(settings: unknown) => void>();
const answer = (body: object, status = 200) => new Response(JSON.stringify(body), { status });
const refusal = (userMessage: string, status = 422, code = 'refused') =>
  answer({ userMessage, code, requestId: 'r7' }, status);

beforeEach(() => {
  signIn('token', admin);
  sent.mockReset();
  answers = {
    'GET /sources/almaLinux/settings': () => answer(reply()),
    'PUT /sources/almaLinux/settings': (settings) => {
      sent(settings);
      return answer(reply(settings as SourceSettings));
    },
    'GET /schedule': (_, query) =>
      query.get('cron') === 'often'
        ? refusal('The schedule needs five fields.')
        : answer({
            words: `Words of ${query.get('cron')}`,
            next: [0, 4, 8, 12, 16].map((hours) => first + hours * 3_600_000),
          }),
  };
  vi.stubGlobal('fetch', async (address: string, { method = 'GET', body }: RequestInit = {}) => {
    const { pathname, searchParams } = new URL(address, 'http://console');
    const found = answers[`${method} ${pathname.replace('/api/patchsync', '')}`];
    return (
      found?.(typeof body === 'string' ? JSON.parse(body) : null, searchParams) ??
      refusal('Nothing there.', 404)
    );
  });
});

afterEach(() => {
  signOut();
  vi.unstubAllGlobals();
});

function Page() {
  const search: { settings?: unknown } = useSearch({ strict: false });
  return (
    <>
      <SettingsDrawer
        source={search.settings === 'almaLinux' ? 'almaLinux' : undefined}
        onClose={() => void router.navigate({ to: '/' })}
      />
      <ConfirmHost />
      <ToastHost />
    </>
  );
}

let router = createRouter({ routeTree: createRootRoute({ component: Page }) });

async function open() {
  router = createRouter({
    routeTree: createRootRoute({ component: Page }),
    history: createMemoryHistory({ initialEntries: ['/', '/?settings=almaLinux'] }),
  });
  render(
    <QueryClientProvider client={newQueryClient()}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  );
  await screen.findByRole('switch', { name: 'Sync AlmaLinux' });
}

const isOpen = () => router.state.location.searchStr !== '';
const saveButton = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Save' });
async function save() {
  await waitFor(() => expect(saveButton().disabled).toBe(false));
  fireEvent.click(saveButton());
}
const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

describe('the settings of a source', () => {
  it('can be saved once something is changed, and close when they are', async () => {
    await open();
    expect(screen.getByText('These are the standard settings.')).toBeTruthy();
    expect(saveButton().disabled).toBe(true);
    expect(screen.queryByText('Unsaved changes')).toBeNull();
    fireEvent.click(screen.getByRole('switch', { name: 'Sync AlmaLinux' }));
    expect(await screen.findByText('Unsaved changes')).toBeTruthy();
    await save();
    await waitFor(() => expect(isOpen()).toBe(false));
    expect(sent).toHaveBeenCalledExactlyOnceWith({ enabled: false });
    expect(await screen.findByText('Settings of AlmaLinux saved.')).toBeTruthy();
  });

  it('say who changed them last', async () => {
    answers['GET /sources/almaLinux/settings'] = () =>
      answer({ ...reply(), changedAt: Date.now() - 3_600_000 * 2, changedBy: 'operator' });
    await open();
    expect(screen.getByText(/^Last changed/).textContent).toBe(
      'Last changed 2 hours ago by operator',
    );
  });
});

describe('the settings of a source, when they are left', () => {
  it('close at once when nothing was changed', async () => {
    await open();
    press('Cancel');
    await waitFor(() => expect(isOpen()).toBe(false));
  });

  it('ask before changes are lost, whichever way they are left', async () => {
    await open();
    type('Mirror address', 'https://other.example/');
    await screen.findByText('Unsaved changes');
    press('Cancel');
    fireEvent.click(await screen.findByRole('button', { name: 'Keep editing' }));
    expect(isOpen()).toBe(true);
    void router.navigate({ to: '/', search: { settings: 'debian' } as never });
    fireEvent.click(await screen.findByRole('button', { name: 'Discard' }));
    await waitFor(() => expect(router.state.location.searchStr).toBe('?settings=debian'));
    expect(sent).not.toHaveBeenCalled();
  });

  it('ask nothing of a person who is no longer signed in', async () => {
    await open();
    type('Mirror address', 'https://other.example/');
    await screen.findByText('Unsaved changes');
    signOut('refused');
    void router.navigate({ to: '/' });
    await waitFor(() => expect(isOpen()).toBe(false));
  });
});

describe('the settings of a source, when the server refuses', () => {
  it('show a refusal at the field that it names, and others on top', async () => {
    answers['PUT /sources/almaLinux/settings'] = () =>
      refusal('The mirror does not answer.', 422, 'invalid_mirror');
    await open();
    type('Mirror address', 'https://other.example/');
    await save();
    expect(await screen.findByText('The mirror does not answer.')).toBeTruthy();
    expect(screen.getByLabelText('Mirror address').getAttribute('aria-invalid')).toBe('true');
    answers['PUT /sources/almaLinux/settings'] = () => refusal('The database is away.', 503);
    type('Mirror address', 'https://third.example/');
    await save();
    expect(
      (await screen.findByText('The database is away.')).closest('[role=alert]')?.textContent,
    ).toContain('r7');
    expect(isOpen()).toBe(true);
  });

  it('say so when they cannot be read', async () => {
    answers['GET /sources/almaLinux/settings'] = () => refusal('You may not see this.', 403);
    router = createRouter({
      routeTree: createRootRoute({ component: Page }),
      history: createMemoryHistory({ initialEntries: ['/?settings=almaLinux'] }),
    });
    render(
      <QueryClientProvider client={newQueryClient()}>
        <RouterProvider router={router as never} />
      </QueryClientProvider>,
    );
    expect(await screen.findByText('You may not see this.')).toBeTruthy();
  });
});

describe('the schedule', () => {
  it('is told in words with its next times in the user’s zone', async () => {
    await open();
    expect(await screen.findByText('Words of 35 */4 * * *')).toBeTruthy();
    const times = screen.getByRole('list', { name: 'Next runs, UTC' });
    expect(within(times).getAllByRole('listitem').length).toBe(5);
    expect(times.textContent).toContain('Sun, Nov 22, 2026 04:35 AM');
    expect(screen.getByText('Standard schedule')).toBeTruthy();
  });

  it('is chosen from presets at the minute of the standard one, and set back', async () => {
    await open();
    press('Daily');
    expect(screen.getByLabelText<HTMLInputElement>('Schedule').value).toBe('35 3 * * *');
    expect(await screen.findByText('Words of 35 3 * * *')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Daily' }).getAttribute('aria-pressed')).toBe('true');
    await save();
    await waitFor(() => expect(sent).toHaveBeenCalledWith({ schedule: '35 3 * * *' }));
  });

  it('that is the standard one is no change', async () => {
    await open();
    press('Hourly');
    await waitFor(() => expect(saveButton().disabled).toBe(false));
    press('Use the standard schedule');
    await waitFor(() => expect(saveButton().disabled).toBe(true));
    press('Every 4 hours');
    expect(saveButton().disabled).toBe(true);
  });

  it('that the server refuses is told at the field and not sent', async () => {
    await open();
    type('Schedule', 'often');
    expect(await screen.findByText('The schedule needs five fields.')).toBeTruthy();
    await waitFor(() => expect(screen.queryByRole('list', { name: /Next times/ })).toBeNull());
    await save();
    expect(await screen.findByText(/Form fields contain one or more errors/)).toBeTruthy();
    expect(sent).not.toHaveBeenCalled();
  });
});

describe('the parts', () => {
  const box = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name });

  it('are followed or left out, all or one by one', async () => {
    await open();
    expect(screen.getByText('2 of 2 followed')).toBeTruthy();
    expect(screen.getByText('2 hours ago')).toBeTruthy();
    fireEvent.click(box('AlmaLinux 8'));
    expect(await screen.findByText('1 of 2 followed')).toBeTruthy();
    await save();
    await waitFor(() => expect(sent).toHaveBeenCalledWith({ leftOut: ['8'] }));
  });

  it('cannot all be left out', async () => {
    await open();
    press('Select none');
    expect(box('AlmaLinux 9').checked).toBe(false);
    expect(await screen.findByText(/Select at least one part/)).toBeTruthy();
    press('Select all');
    await waitFor(() => expect(screen.queryByText(/Select at least one part/)).toBeNull());
  });

  it('are added by key, once each, without saving the form', async () => {
    await open();
    expect(screen.getByText('Allowed: a major release, such as 11.')).toBeTruthy();
    type('Add a part', '9');
    expect(screen.getByText('9 is already listed.')).toBeTruthy();
    type('Add a part', ' 11 ');
    fireEvent.keyDown(screen.getByLabelText('Add a part'), { key: 'Enter' });
    expect(box('11').checked).toBe(true);
    expect(screen.getByText('added when saved')).toBeTruthy();
    expect(sent).not.toHaveBeenCalled();
    await save();
    await waitFor(() => expect(sent).toHaveBeenCalledWith({ added: ['11'] }));
  });

  it('that were added can be removed', async () => {
    const added = { key: '11', label: 'AlmaLinux 11', added: true, readAt: null };
    answers['GET /sources/almaLinux/settings'] = () =>
      answer({ ...reply({ added: ['11'] }), parts: [...reply().parts, added] });
    await open();
    press('Remove AlmaLinux 11');
    expect(screen.queryByRole('checkbox', { name: 'AlmaLinux 11' })).toBeNull();
    await save();
    await waitFor(() => expect(sent).toHaveBeenCalledWith({ added: [] }));
  });
});

it('a share that is emptied is not sent', async () => {
  await open();
  const share = screen.getByLabelText('Withdraw without approval up to');
  fireEvent.change(share, { target: { value: '' } });
  expect(await screen.findByText('The share is required')).toBeTruthy();
  fireEvent.change(share, { target: { value: '45' } });
  fireEvent.blur(share);
  await save();
  await waitFor(() => expect(sent).toHaveBeenCalledWith({ shrinkageShare: 45 }));
});
