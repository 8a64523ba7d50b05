import { getList } from '@patch/catalogue/lists.ts';
import { detailEndpoint } from '@patch/contract/records/detail-endpoint.ts';
import { searchEndpoint } from '@patch/contract/records/search-endpoint.ts';
import { sourcesEndpoint, startSyncEndpoint } from '@patch/contract/sources/sync-endpoints.ts';
import { stateOfSource } from '@patch/contract/testing/state-of-source.ts';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { updatePreference } from '../api/preferences.ts';
import { addReplies, refuse, reply, sentCalls } from '../testing/fake-api.ts';
import { person, pressKey } from '../testing/person.ts';
import {
  ask,
  beginWithoutPreferences,
  kbs,
  open,
  searchBox,
  serve,
} from './testing/served-list.tsx';

beforeEach(beginWithoutPreferences);

describe('rows and pages', () => {
  test('shows the first page, the exact total and links to other pages', async () => {
    const calls = serve({ total: 60 });
    const { search } = await open();
    expect(await screen.findByText('Erratum 25')).toBeTruthy();
    expect(screen.getByText('60 records')).toBeTruthy();
    expect(screen.getByText('1–25 of 60')).toBeTruthy();
    expect(calls).toEqual([{ offset: 0, size: 25, sort: '-releaseDate' }]);
    await person.click(screen.getByRole('button', { name: 'Page 3' }));
    expect(await screen.findByText('51–60 of 60')).toBeTruthy();
    expect(await screen.findByText('Erratum 60')).toBeTruthy();
    expect(search()).toEqual({ page: 3 });
  });

  test('shows the number of updates when several records share one', async () => {
    updatePreference(kbs.key, { grouping: 'off' });
    serve({ counted: { totalCount: 60, updateCount: 12 } });
    await open('', kbs);
    expect(await screen.findByText('60 records of 12 updates')).toBeTruthy();
    cleanup();
    serve({ counted: { totalCount: 60, updateCount: 12 } });
    await open('?criteria=severity.equal.Critical', kbs);
    expect(await screen.findByText('60 matching records of 12 updates')).toBeTruthy();
  });

  test('hides a number of updates that belongs to another total', async () => {
    updatePreference(kbs.key, { grouping: 'off' });
    serve({ counted: { totalCount: 59, updateCount: 12 } });
    await open('', kbs);
    expect(await screen.findByText('60 records')).toBeTruthy();
    await act(async () => undefined);
    expect(screen.queryByText(/of 12 updates/)).toBeNull();
  });

  test('replaces a page beyond the end by the last one', async () => {
    serve({ total: 60 });
    const { search } = await open('?page=900&size=50');
    await waitFor(() => expect(search()).toEqual({ page: 2, size: 50 }));
    expect(await screen.findByText('51–60 of 60')).toBeTruthy();
  });

  test('ignores invalid parameters and reports unknown fields', async () => {
    const calls = serve({});
    await open('?page=x&size=7&sort=-password&open=abc&criteria=titel.contains.x');
    expect(await screen.findByText('Erratum 1')).toBeTruthy();
    expect(calls[0]).toEqual({ offset: 0, size: 25, sort: '-releaseDate' });
    expect(screen.getByRole('alert').textContent).toContain(
      "The field 'titel' is not valid. Allowed fields are: bulletinId",
    );
  });

  test('sorts by a heading and sets aria-sort', async () => {
    const calls = serve({ total: 60 });
    const { search } = await open('?page=2');
    await screen.findByText('Erratum 26');
    await person.click(screen.getByRole('button', { name: 'Severity' }));
    await waitFor(() => expect(search()).toEqual({ sort: 'severity' }));
    expect(screen.getByRole('columnheader', { name: 'Severity' }).getAttribute('aria-sort')).toBe(
      'ascending',
    );
    await waitFor(() => expect(calls.at(-1)).toMatchObject({ offset: 0, sort: 'severity' }));
  });
});

describe('marking rows', () => {
  const box = (id: number) =>
    screen.getByRole<HTMLInputElement>('checkbox', { name: `Select ALSA-2024:${1000 + id}` });

  test('keeps marks over pages, marks all matches, and clears marks with a new search', async () => {
    serve({ total: 60 });
    await open();
    await screen.findByText('Erratum 1');
    await person.click(box(2));
    await person.click(box(3));
    expect(screen.getByText('2 selected')).toBeTruthy();
    await person.click(screen.getByRole('button', { name: 'Next page' }));
    await screen.findByText('Erratum 26');
    await person.click(screen.getByRole('checkbox', { name: 'Select all rows of the page' }));
    expect(screen.getByText('27 selected')).toBeTruthy();
    await person.click(screen.getByRole('button', { name: 'Select all 60 matching' }));
    expect(screen.getByText('60 selected')).toBeTruthy();
    await person.click(screen.getByRole('button', { name: 'Previous page' }));
    await screen.findByText('Erratum 1');
    expect(box(1).checked).toBe(true);
    await ask('openssl');
    await waitFor(() =>
      expect(screen.queryByRole('toolbar', { name: 'Selected rows' })).toBeNull(),
    );
  });

  test('marks the row of the cursor with Space, except while typing', async () => {
    serve({ total: 60 });
    await open();
    await screen.findByText('Erratum 1');
    await pressKey('ArrowDown');
    const row = document.activeElement as HTMLElement;
    expect(row.dataset['row']).toBe('1');
    await pressKey(' ', row);
    expect(box(1).checked).toBe(true);
    expect(row.getAttribute('aria-selected')).toBe('true');
    await pressKey(' ', row);
    expect(box(1).checked).toBe(false);
    await pressKey(' ', searchBox());
    expect(screen.queryByRole('toolbar', { name: 'Selected rows' })).toBeNull();
  });
});

describe('keys', () => {
  test('move between rows, pages and the search', async () => {
    serve({ total: 60 });
    const { search } = await open();
    await screen.findByText('Erratum 1');
    await pressKey('ArrowDown');
    await pressKey('ArrowDown');
    expect((document.activeElement as HTMLElement).dataset['row']).toBe('2');
    await pressKey('Enter');
    await waitFor(() => expect(search()).toEqual({ open: 2 }));
    // The open record handles the keys until a row is focused again.
    await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe('Close'));
    act(() => document.querySelector<HTMLElement>('[data-row="2"]')?.focus());
    await pressKey('PageDown');
    await waitFor(() => expect(search()).toEqual({ page: 2 }));
    await waitFor(() => expect((document.activeElement as HTMLElement).dataset['row']).toBe('26'));
    await pressKey('/');
    expect(document.activeElement).toBe(searchBox());
    await pressKey('PageDown');
    expect(search()).toEqual({ page: 2 });
  });

  test('reach only one row with Tab', async () => {
    serve({});
    await open();
    await screen.findByText('Erratum 1');
    expect(document.querySelectorAll('tr[tabindex="0"]')).toHaveLength(1);
  });
});

test('opens the drawer with the record of its own list in a list that combines others', async () => {
  const all = getList('all_patches');
  serve({ more: () => ({ title: 'bash security update' }) });
  addReplies(
    reply(searchEndpoint(all), {
      objList: [{ id: 1, list: 'almalinux_patch', recordId: 12, title: 'bash' }],
      totalCount: 1,
    }),
  );
  const { search } = await open('', all);
  await person.click(await screen.findByText('bash'));
  const drawer = within(await screen.findByRole('dialog'));
  expect(await drawer.findByText('bash security update')).toBeTruthy();
  expect(search()).toHaveProperty('open', 1);
  expect(drawer.getByRole('link', { name: 'Open as page' }).getAttribute('href')).toBe(
    '/patch-repository/almalinux-patch/record/12',
  );
});

test('opens the record of its own list also for a row that is not on the page', async () => {
  const all = getList('all_patches');
  serve({ more: () => ({ title: 'bash security update' }) });
  addReplies(
    reply(searchEndpoint(all), { objList: [], totalCount: 0 }),
    reply(detailEndpoint(all), {
      id: 7,
      list: 'almalinux_patch',
      recordId: 12,
      title: 'bash',
      firstSeenTime: 1,
      changedTime: 1,
      withdrawnTime: null,
    } as never),
  );
  await open('?view=all&open=7', all);
  const drawer = within(await screen.findByRole('dialog'));
  expect(await drawer.findByText('bash security update')).toBeTruthy();
  expect(drawer.getByRole('link', { name: 'Open as page' }).getAttribute('href')).toBe(
    '/patch-repository/almalinux-patch/record/12',
  );
});

describe('placeholder instead of rows', () => {
  test('offers a sync to administrators when the list is empty', async () => {
    serve({ total: 0 });
    await open();
    expect(await screen.findByText('Nothing here yet')).toBeTruthy();
    expect(screen.getByText('No source has been synced yet.')).toBeTruthy();
    const steps = screen.getByRole('link', { name: 'Begin with the first steps' });
    expect(steps.getAttribute('href')).toBe('/patch-repository/dashboard');
    addReplies(refuse(startSyncEndpoint, 409, { code: 'sync_running', userMessage: 'It runs.' }));
    await person.click(screen.getByRole('button', { name: 'Sync AlmaLinux alone' }));
    await waitFor(() =>
      expect(sentCalls().map(({ path }) => path)).toContain('/linux/patchsync/manual'),
    );
  });

  test('offers the sync of its source when others were synced', async () => {
    serve({ total: 0 });
    addReplies(
      reply(sourcesEndpoint, {
        objList: [
          stateOfSource({ source: 'almaLinux', label: 'AlmaLinux' }),
          stateOfSource({ source: 'debian', label: 'Debian', lastSuccessAt: 1 }),
        ],
        totalCount: 2,
      }),
    );
    await open();
    expect(await screen.findByText('AlmaLinux has not been synced yet.')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Sync now' })).toBeTruthy();
    expect(screen.queryByRole('link', { name: 'Begin with the first steps' })).toBeNull();
  });

  test('begins with a sync when no source has filled the list, although it opens with a criterion', async () => {
    const { search } = await open('', getList('all_patches'));
    expect(await screen.findByRole('link', { name: 'Begin with a sync' })).toBeTruthy();
    expect(search()).toHaveProperty('criteria');
    expect(screen.queryByRole('button', { name: 'Clear filters' })).toBeNull();
    expect(screen.queryByRole('group', { name: 'Superseded' })).toBeNull();
  });

  test('offers to clear the filters when nothing matches', async () => {
    serve({});
    const { search } = await open('?keyword=nothing');
    await person.click(await screen.findByRole('button', { name: 'Clear filters' }));
    await waitFor(() => expect(search()).toEqual({}));
    expect(await screen.findByText('Erratum 1')).toBeTruthy();
  });

  test('shows a 403 as missing access, with a reload button and a link to the home page', async () => {
    serve({ refused: { status: 403, userMessage: 'Not for you.' } });
    await open();
    const instead = within(
      (await screen.findByText('You don’t have access to this list')).closest(
        'section',
      ) as HTMLElement,
    );
    expect(instead.getByRole('link', { name: 'Go to home' }).getAttribute('href')).toBe(
      '/patch-repository',
    );
    serve({});
    await person.click(instead.getByRole('button', { name: 'Reload' }));
    expect(await screen.findByText('Erratum 1')).toBeTruthy();
  });

  test('shows the message of a refused search also beside the search bar', async () => {
    serve({ refused: { status: 422, userMessage: "Unknown field 'x' at 1." } });
    await open('?criteria=title.contains.x');
    await waitFor(() => expect(screen.getAllByText("Unknown field 'x' at 1.").length).toBe(2));
    expect(screen.getByRole('button', { name: 'Clear the search' })).toBeTruthy();
  });
});
