import { getList } from '@patch/catalogue/lists.ts';
import { liveEndpoint } from '@patch/contract/operations/health-endpoint.ts';
import { searchEndpoint } from '@patch/contract/records/search-endpoint.ts';
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { setConnectionLost } from '../api/connection.ts';
import { destroyPreferences, updatePreference } from '../api/preferences.ts';
import { listSearchSchema } from '../list/address/list-url.ts';
import { ListScreen } from '../list/list-screen.tsx';
import { emptyService } from '../testing/empty-service.ts';
import { addReplies, disconnect, refuse, reply } from '../testing/fake-api.ts';
import { person } from '../testing/person.ts';
import { renderInApp } from '../testing/render-in-app.tsx';
import { signInAs } from '../testing/sign-in-as.ts';
import { ConnectionPill } from './sync-pill.tsx';

const alma = getList('almalinux_patch');
const search = searchEndpoint(alma);
const rows = (title: string) =>
  reply(search, { objList: [{ id: 1, title, bulletinId: 'ALSA-2024:1' }], totalCount: 60 });

beforeEach(() => {
  destroyPreferences();
  addReplies(...emptyService(signInAs()));
  addReplies(rows('Before'));
});
afterEach(() => setConnectionLost(false));

async function open() {
  await renderInApp(
    <>
      <div data-testid="header">
        <ConnectionPill />
      </div>
      <ListScreen list={alma} />
    </>,
    { route: '/list', path: '/list', searchSchema: listSearchSchema },
  );
  await screen.findByText('Before');
}

const inHeader = () => within(screen.getByTestId('header'));
const refresh = () => person.click(screen.getByRole('button', { name: 'Refresh' }));
const findNotice = () => screen.findByText(/These rows were loaded/);

test.each(['paging', 'loadmore'] as const)(
  'keeps the rows after a refresh without connection, until it is restored (%s)',
  async (loadMode) => {
    updatePreference(alma.key, { loadMode });
    await open();
    addReplies(disconnect(search), disconnect(liveEndpoint));
    await refresh();
    expect((await findNotice()).textContent).toMatch(/^Connection lost\. These rows were loaded/);
    expect(inHeader().getByText('Connection lost')).toBeTruthy();
    expect(screen.getByText('Before')).toBeTruthy();
    expect(screen.queryByText('The list could not be loaded.')).toBeNull();

    addReplies(rows('After'), reply(liveEndpoint, { status: 'live', version: '1' }));
    dispatchEvent(new Event('online'));
    expect(await screen.findByText('After')).toBeTruthy();
    await waitFor(() => expect(screen.queryByText(/These rows were loaded/)).toBeNull());
    expect(inHeader().queryByText('Connection lost')).toBeNull();
  },
);

test('keeps the rows after a failed refresh, shows the reason, and can retry', async () => {
  await open();
  addReplies(refuse(search, 500, { userMessage: 'The database is away.' }));
  await refresh();
  expect((await findNotice()).textContent).toMatch(/^Loading failed: The database is away\./);
  expect(screen.getByText('Before')).toBeTruthy();
  expect(inHeader().queryByText('Connection lost')).toBeNull();
  addReplies(rows('After'));
  await person.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('After')).toBeTruthy();
});

test('removes the rows after a refused refresh', async () => {
  await open();
  addReplies(refuse(search, 403));
  await refresh();
  expect(await screen.findByText('You don’t have access to this list')).toBeTruthy();
  expect(screen.queryByText('Before')).toBeNull();
});

test("treats a proxy's reply as a lost connection", async () => {
  await open();
  addReplies(
    disconnect(liveEndpoint),
    reply(search, () => new Response('<h1>Bad gateway</h1>', { status: 502 })),
  );
  await refresh();
  expect((await findNotice()).textContent).toMatch(/^Connection lost\./);
});
