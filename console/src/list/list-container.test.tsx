import { fieldOf } from '@patch/catalogue/definition/list-definition.ts';
import { type CatalogueList, catalogueLists, listOfKey } from '@patch/catalogue/lists.ts';
import { specified } from '@patch/catalogue/testing/specified.ts';
import { searchEndpoint } from '@patch/contract/search-endpoint.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { destroyPreferences } from '../api/preferences.ts';
import { newQueryClient } from '../api/query-client.ts';
import { signIn, signOut } from '../api/session.ts';
import { ToastHost } from '../widgets/toast-host.tsx';
import { ListScreen } from './list-screen.tsx';
import { listSearchSchema } from './list-url.ts';

const alma = listOfKey('almalinux_patch');
let total = 60;
let status = 200;
let twice = false;

beforeEach(() => {
  total = 60;
  status = 200;
  twice = false;
  destroyPreferences();
  signIn('token', {
    id: 1,
    name: 'admin',
    email: '',
    userType: 'Admin',
    timezone: 'UTC',
    mustChangePassword: false,
  } as never);
  vi.stubGlobal('fetch', async (address: string, init: RequestInit = {}) => {
    const { searchParams, pathname } = new URL(address, 'http://console');
    if (init.method !== 'POST') return new Response(JSON.stringify({ objList: [], totalCount: 0 }));
    if (status !== 200) {
      const problem = { userMessage: 'The database is away.', code: 'away', requestId: 'req-42' };
      return new Response(JSON.stringify(problem), { status });
    }
    const [offset, size] = [Number(searchParams.get('offset')), Number(searchParams.get('size'))];
    const many = pathname.endsWith('/almalinux/search')
      ? Math.max(0, Math.min(size, total - offset))
      : 0;
    const objList = Array.from({ length: many }, (_, place) => ({
      id: twice && place > 3 ? offset + place : offset + place + 1,
      title: `Erratum ${twice && place > 3 ? offset + place : offset + place + 1}`,
      bulletinId: `ALSA-2024:${1001 + offset + place}`,
      severity: null,
      category: '',
      binaryPkgName: [],
      releaseDate: Date.UTC(2024, 2, 5),
    }));
    return new Response(JSON.stringify({ objList, totalCount: many === 0 ? 0 : total }));
  });
});
afterEach(() => {
  signOut();
  vi.unstubAllGlobals();
});

async function open(address = '', list: CatalogueList = alma) {
  const root = createRootRoute();
  const component = () => <ListScreen list={list} />;
  const route = createRoute({
    getParentRoute: () => root,
    path: '/list',
    validateSearch: listSearchSchema,
    component,
  });
  const router = createRouter({
    routeTree: root.addChildren([route]),
    history: createMemoryHistory({ initialEntries: [`/list${address}`] }),
  });
  render(
    <QueryClientProvider client={newQueryClient()}>
      <ToastHost />
      {/* The router of the test has one page; its type is not the console's. */}
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  );
  return screen.findByRole('combobox', { name: `Search ${list.label}` });
}

describe('rows are shown', () => {
  test('as a table, or as a list of items where there is no room for one', async () => {
    await open();
    expect(await screen.findByRole('grid', { name: 'AlmaLinux patches' })).toBeTruthy();
    cleanup();
    vi.stubGlobal('matchMedia', (media: string) => ({
      matches: media.includes('width <'),
      media,
      addEventListener: () => {},
      removeEventListener: () => {},
    }));
    await open();
    const items = within(await screen.findByRole('list', { name: 'AlmaLinux patches' }));
    expect(await items.findByText('ALSA-2024:1001')).toBeTruthy();
    expect(screen.queryByRole('grid')).toBeNull();

    // Of an item that has no severity, no category and no packages nothing is said about them.
    const first = items.getByText('ALSA-2024:1001').closest('li') as HTMLElement;
    expect(
      within(first)
        .getAllByRole('term')
        .map(({ textContent }) => textContent),
    ).toEqual(['Release date']);
  });
});

describe('the search bar', () => {
  test.each(catalogueLists.map((list) => [list.label, list] as const))(
    'is on %s, with every field that can be asked',
    async (_, list) => {
      const box = await open('', list);
      fireEvent.click(box);
      const offered = screen.getAllByRole('option').map(({ textContent }) => textContent);
      expect(offered).toEqual(
        list.searchable.map((name) => expect.stringContaining(fieldOf(list, name).label) as string),
      );
    },
  );
});

describe('the licensed clients, as a Standard user sees them', () => {
  const clients = listOfKey('floto_user');
  beforeEach(() =>
    signIn('token', {
      id: 2,
      name: 'stan',
      email: '',
      userType: 'Standard',
      timezone: 'UTC',
      mustChangePassword: false,
    } as never),
  );

  test('offer the activation code neither as a criterion nor as an order', async () => {
    const box = await open('?sort=activationCode', clients);
    fireEvent.click(box);
    expect(screen.queryByRole('option', { name: /Activation code/ })).toBeNull();
    expect(screen.getByRole('option', { name: /Application version/ })).toBeTruthy();
    const heads = screen
      .getAllByRole('columnheader')
      .filter(({ textContent }) => textContent?.startsWith('Activation code'));
    expect(heads).toHaveLength(1);
    expect(
      within(heads[0] as HTMLElement).queryByRole('button', { name: 'Activation code' }),
    ).toBeNull();
    expect(heads[0]?.getAttribute('aria-sort')).toBeNull();
    expect(screen.getByRole('columnheader', { name: 'Client' }).getAttribute('aria-sort')).toBe(
      'ascending',
    );
  });
});

describe('a paginated list', () => {
  test('holds items, total, current page, page size, sort and what is selected', async () => {
    await open('?page=2&size=10&sort=title');
    expect(await screen.findByText('Erratum 11')).toBeTruthy();
    expect(document.querySelectorAll('tr[data-row]')).toHaveLength(10);
    expect(screen.getByText('60 records')).toBeTruthy();
    const steps = within(screen.getByRole('navigation', { name: 'Pages' })).getAllByRole('button');
    expect(steps.map((step) => step.textContent || step.getAttribute('aria-label'))).toEqual([
      'Previous page',
      '1',
      '2',
      '3',
      '4',
      '5',
      '6',
      'Next page',
    ]);
    expect(steps.map((step) => step.getAttribute('aria-current')).indexOf('page')).toBe(2);
    expect(screen.getByText('11–20 of 60')).toBeTruthy();
    expect(
      screen.getByRole<HTMLSelectElement>('combobox', { name: 'Rows per page' }).selectedOptions[0]
        ?.textContent,
    ).toBe('10 per page');
    expect(screen.getByRole('columnheader', { name: 'Title' }).getAttribute('aria-sort')).toBe(
      'ascending',
    );
    fireEvent.click(screen.getByRole('checkbox', { name: 'Select ALSA-2024:1011' }));
    expect(screen.getByText('1 selected')).toBeTruthy();
  });

  test('has 25 items a page, or 10 or 50; the wire has 1000 from the first on when nothing is said', async () => {
    expect(searchEndpoint(alma).query.parse({})).toEqual(specified.searchDefaults);
    await open();
    expect(await screen.findByText(`1–${specified.pageSizes.list} of 60`)).toBeTruthy();
    fireEvent.change(screen.getByRole('combobox', { name: 'Rows per page' }), {
      target: { value: '50' },
    });
    expect(await screen.findByText('1–50 of 60')).toBeTruthy();
    const offered = within(screen.getByRole('combobox', { name: 'Rows per page' })).getAllByRole(
      'option',
    );
    expect(offered.map(({ textContent }) => textContent)).toEqual(
      specified.pageSizes.options.map((size) => `${size} per page`),
    );
  });

  test('shows a row once, though the answer has it twice', async () => {
    twice = true;
    await open();
    expect(await screen.findByText('Erratum 24')).toBeTruthy();
    expect(
      [...document.querySelectorAll<HTMLElement>('tr[data-row]')].map(
        ({ dataset }) => dataset['row'],
      ),
    ).toEqual(Array.from({ length: 24 }, (_, place) => `${place + 1}`));
  });

  test('leads to any page by its number, and in leaps over those that are not offered', async () => {
    total = 500;
    await open('?page=10');
    const steps = () =>
      within(screen.getByRole('navigation', { name: 'Pages' }))
        .getAllByRole('button')
        .map((step) => step.textContent || step.getAttribute('aria-label'));
    await screen.findByText('226–250 of 500');
    expect(steps()).toEqual([
      'Previous page',
      '1',
      '5 pages back',
      '9',
      '10',
      '11',
      '5 pages on',
      '20',
      'Next page',
    ]);
    fireEvent.click(screen.getByRole('button', { name: '5 pages back' }));
    expect(await screen.findByText('101–125 of 500')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Page 20' }));
    expect(await screen.findByText('476–500 of 500')).toBeTruthy();
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Next page' }).disabled).toBe(
      true,
    );
  });

  test('has no pager when there is one page', async () => {
    total = specified.pageSizes.list;
    await open();
    expect(await screen.findByText(`Erratum ${total}`)).toBeTruthy();
    expect(screen.queryByRole('navigation', { name: 'Pages' })).toBeNull();
    expect(screen.getByText(`${total} records`)).toBeTruthy();
    cleanup();
    total += 1;
    await open();
    expect(await screen.findByRole('button', { name: 'Next page' })).toBeTruthy();
  });
});

test('of a search that nothing meets it is said that no data was found', async () => {
  total = 0;
  await open('?keyword=nothing');
  expect(await screen.findByText(specified.catalogueMessages.noData)).toBeTruthy();
});

test('a search that fails is told in a notification titled Error, beside the cause in place of the rows', async () => {
  status = 500;
  await open();
  expect(await screen.findByText('The list could not be loaded.')).toBeTruthy();
  expect(screen.getByText(specified.errors.failedTitle)).toBeTruthy();
  expect(screen.getByText('The database is away.')).toBeTruthy();
  status = 200;
  fireEvent.click(screen.getByRole('button', { name: 'Reload' }));
  await waitFor(() => expect(screen.queryByText('The database is away.')).toBeNull());
});
