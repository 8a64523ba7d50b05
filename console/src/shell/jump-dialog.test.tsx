import { getList } from '@patch/catalogue/lists.ts';
import { machineExposureEndpoint } from '@patch/contract/fleet/machine-endpoints.ts';
import { type SearchReply, searchEndpoint } from '@patch/contract/records/search-endpoint.ts';
import { identifierRecordsEndpoint } from '@patch/contract/records/shared-identifier-endpoints.ts';
import {
  cveMachinesEndpoint,
  vulnerabilityEndpoint,
} from '@patch/contract/records/vulnerability-endpoint.ts';
import { sourcesEndpoint, startSyncEndpoint } from '@patch/contract/sources/sync-endpoints.ts';
import { runOfSource } from '@patch/contract/testing/run-of-source.ts';
import { stateOfSource } from '@patch/contract/testing/state-of-source.ts';
import { screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { addReplies, refuse, reply, sentTo } from '../testing/fake-api.ts';
import { knownVulnerability } from '../testing/known-vulnerability.ts';
import { noExposure } from '../testing/no-machines.ts';
import { fillIn, pasteInto, person, pressKey } from '../testing/person.ts';
import { renderInApp } from '../testing/render-in-app.tsx';
import { Menu } from '../widgets/menu.tsx';
import { JumpDialog } from './jump-dialog.tsx';
import { mainId } from './page-announcer.tsx';

const record = (id: number, identity: string) => ({
  id,
  identity,
  title: `Update ${id}`,
  severity: 'Critical',
  releaseDate: 1,
  own: false,
  shares: [identity],
});
const alma = { list: 'almalinux_patch', totalCount: 1, records: [record(7, 'ALSA-2024:1691')] };
const debian = {
  list: 'debian_patch',
  totalCount: 4,
  records: [1, 2, 3, 4].map((id) => record(id, `DSA-${id}`)),
};
const found = (identifier: string) => ({
  identifier,
  lists:
    identifier === 'ALSA-2024:1691' ? [alma] : identifier === 'CVE-2024-3094' ? [alma, debian] : [],
});

const source = stateOfSource({
  source: 'debian',
  label: 'Debian',
  lists: [{ key: 'debian_patch', label: 'Debian patches', rows: 4 }],
});
const allPatches = getList('all_patches');
const critical = { paramName: 'severity', operator: 'in', value: ['Critical'] } as const;
const noMatch = { objList: [], totalCount: 0 };
const matches: SearchReply = {
  objList: [
    {
      id: 70,
      list: 'almalinux_patch',
      recordId: 7,
      identifier: 'ALSA-2024:7848',
      title: 'openssl security update',
    },
  ],
  totalCount: 12,
  reading: {
    parts: [
      { text: 'opensll', keyword: 'openssl', corrected: true },
      { text: 'critical', criterion: critical },
      { text: 'bitte', leftOut: true },
    ],
    criteria: [critical],
    keyword: 'openssl',
  },
};
const frame = {
  changePassword: vi.fn<() => void>(),
  toggleSidebar: vi.fn<() => void>(),
  showShortcuts: vi.fn<() => void>(),
  signOut: vi.fn<() => void>(),
};

async function open({ page = <p>The page</p>, userType = 'Admin' as 'Admin' | 'Standard' } = {}) {
  const onClose = vi.fn<() => void>();
  function Frame() {
    const [jumping, setJumping] = useState(false);
    return (
      <>
        <button type="button" onClick={() => setJumping(true)}>
          Search
        </button>
        <main id={mainId}>{page}</main>
        {jumping ? <JumpDialog {...frame} onClose={onClose} /> : null}
      </>
    );
  }
  const app = await renderInApp(<Frame />, {
    session: { userType },
    replies: [
      reply(identifierRecordsEndpoint, ({ params }) => found(params['identifier'] ?? '')),
      reply(searchEndpoint(allPatches), ({ body }) =>
        (body as { readonly q: string }).q === 'opensll critical' ? matches : noMatch,
      ),
      reply(sourcesEndpoint, { objList: [source], totalCount: 1 }),
      refuse(vulnerabilityEndpoint, 404, { code: 'not_found' }),
      reply(startSyncEndpoint, runOfSource({ source: 'debian', state: 'queued' })),
    ],
  });
  await person.click(screen.getByRole('button', { name: 'Search' }));
  const box = screen.getByRole('combobox', { name: 'Identifier, screen or command' });
  return { box, onClose, currentPath: app.path, search: app.search };
}
const options = () => screen.queryAllByRole('option').map(({ textContent }) => textContent);
const selected = () =>
  screen.getAllByRole('option').find((option) => option.getAttribute('aria-selected') === 'true')
    ?.textContent;

test('opens the only record of an identifier', async () => {
  const { box, onClose, currentPath } = await open();
  await pasteInto(box, 'ALSA-2024:1691');
  await waitFor(() =>
    expect(options()).toEqual([
      expect.stringContaining('Update 7'),
      expect.stringMatching(/No machine reports.?Add machines/),
    ]),
  );
  await pressKey('Enter', box);
  await waitFor(() => expect(currentPath()).toBe('/patch-repository/almalinux-patch/record/7'));
  expect(onClose).toHaveBeenCalledOnce();
  expect(sentTo(identifierRecordsEndpoint)).toHaveLength(1);
});

test('answers for a CVE where it is fixed', async () => {
  const { box } = await open();
  addReplies(
    reply(vulnerabilityEndpoint, knownVulnerability),
    reply(cveMachinesEndpoint, { ...noExposure, reporting: false }),
  );
  await pasteInto(box, 'cve-2024-3094');
  expect(await screen.findByText(/^Fixed for 9 \(4 days after publication\)\./)).toBeTruthy();
});

test.each([
  [
    'ALSA-2024:1691',
    { machines: 390, missing: 12, notMissing: 370, notJudged: 8 },
    '12 of 390 machines ?miss ALSA-2024:1691, 8 cannot be judged',
  ],
  ['CVE-2024-3094', { machines: 1, missing: 1 }, '1 of 1 machine ?misses CVE-2024-3094'],
  [
    'ALSA-2024:1691',
    { machines: 5, uncertain: 2, notMissing: 3 },
    '0 of 5 machines ?miss ALSA-2024:1691, 2 may miss it',
  ],
])('says of %s that %j machines miss it, and opens their list', async (typed, counts, words) => {
  const { box, currentPath, search } = await open();
  addReplies(reply(machineExposureEndpoint, { ...noExposure, ...counts }));
  await pasteInto(box, typed);
  await person.click(await screen.findByRole('option', { name: new RegExp(words) }));
  await waitFor(() => expect(currentPath()).toBe('/patch-repository/machines'));
  expect(search()).toEqual({ criteria: `misses.equal.${typed}` });
});

test('opens all records of an identifier, or one chosen with the arrow keys', async () => {
  const { box, currentPath } = await open();
  await fillIn(box, ' CVE-2024-3094 ');
  await waitFor(() => expect(options()).toHaveLength(6));
  expect(selected()).toContain('All 5 records');
  await pressKey('ArrowDown', box);
  await pressKey('ArrowDown', box);
  expect(selected()).toContain('DSA-1');
  await pressKey('ArrowUp', box);
  await pressKey('ArrowUp', box);
  await pressKey('Enter', box);
  await waitFor(() => expect(currentPath()).toBe('/patch-repository/identifier/CVE-2024-3094'));
});

test('accepts the first key, and delays Enter until the result is known', async () => {
  const { currentPath } = await open();
  // Typed at once, before the options are loaded.
  await person.keyboard('CVE-2024-3094{Enter}');
  await waitFor(() => expect(currentPath()).toBe('/patch-repository/identifier/CVE-2024-3094'));
});

test.each([
  'CVE-2099-12345',
  'cve-2099-12345',
  'KB9999999',
  'KB 9999999',
  'USN-9999-1',
  'ELSA-2099-1',
])(
  'says in how many sources an unknown identifier was searched, and opens its page: %s',
  async (typed) => {
    const { currentPath } = await open();
    await person.keyboard(typed);
    await waitFor(() => expect(selected()).toContain('Nothing found in 1 source'));
    expect(screen.queryByText('No matches.')).toBeNull();
    await person.keyboard('{Enter}');
    await waitFor(() =>
      expect(decodeURIComponent(currentPath())).toBe(`/patch-repository/identifier/${typed}`),
    );
  },
);

test('offers the best matches of words, and all of them with what the words mean', async () => {
  const { box, currentPath, search } = await open();
  await fillIn(box, 'opensll critical');
  await waitFor(() =>
    expect(options()).toEqual([
      expect.stringContaining('ALSA-2024:7848openssl security update'),
      expect.stringMatching(
        /12 records\s*left out: bitte, openssl, Stated severity is one of Critical/,
      ),
    ]),
  );
  await pressKey('ArrowDown', box);
  await pressKey('Enter', box);
  await waitFor(() => expect(currentPath()).toBe('/patch-repository/all-patches'));
  expect(search()).toEqual({ criteria: 'severity.in.Critical', keyword: 'openssl' });
});

test('ignores Enter when nothing matches', async () => {
  const { currentPath, onClose } = await open();
  await person.keyboard('no such thing{Enter}');
  expect(await screen.findByText('No matches.')).toBeTruthy();
  await person.keyboard('{Control>}a{/Control}debian');
  await waitFor(() => expect(options().length).toBeGreaterThan(0));
  expect(onClose).not.toHaveBeenCalled();
  expect(currentPath()).toBe('/');
});

test('starts a sync by command', async () => {
  const { box, onClose } = await open();
  await fillIn(box, 'sync deb');
  await waitFor(() => expect(selected()).toContain('Sync Debian'));
  await pressKey('Enter', box);
  await waitFor(() => expect(sentTo(startSyncEndpoint)).toHaveLength(1));
  expect(onClose).toHaveBeenCalledOnce();
});

test('offers administrators a command for a new user', async () => {
  const { box, currentPath, search } = await open();
  await fillIn(box, 'new user');
  await waitFor(() => expect(selected()).toContain('New user'));
  await pressKey('Enter', box);
  await waitFor(() => expect(currentPath()).toBe('/patch-repository/users'));
  expect(search()).toEqual({ show: 'new' });
});

test('offers a Standard user neither syncs nor new users', async () => {
  const { box } = await open({ userType: 'Standard' });
  await fillIn(box, 'n');
  await waitFor(() => expect(options().join()).toContain('Sign out'));
  await fillIn(box, 'new user');
  expect(await screen.findByText('No matches.')).toBeTruthy();
  await fillIn(box, 'sync deb');
  expect(await screen.findByText('No matches.')).toBeTruthy();
});

test('offers the actions of the open page and the entries of its menus', async () => {
  const pressed = vi.fn<(what: string) => void>();
  const entries = [{ key: 'csv', label: 'CSV, for spreadsheets', onChoose: () => pressed('csv') }];
  const page = (
    <>
      <Menu aria-label="Export" entries={entries} />
      <button type="button" onClick={() => pressed('refresh')}>
        Refresh
      </button>
      <button type="button" disabled>
        Refresh all
      </button>
      <table>
        <tbody>
          <tr>
            <td>
              <button type="button">Refresh one row</button>
            </td>
          </tr>
        </tbody>
      </table>
    </>
  );
  const { box } = await open({ page });
  await fillIn(box, 'refresh');
  await waitFor(() => expect(options()).toEqual(['RefreshThis page']));
  await fillIn(box, 'export csv');
  await waitFor(() => expect(options()).toEqual(['Export: CSV, for spreadsheetsThis page']));
  await pressKey('Enter', box);
  await waitFor(() => expect(pressed.mock.calls).toEqual([['csv']]));
});
