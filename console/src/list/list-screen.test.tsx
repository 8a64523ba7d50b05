import { type CatalogueList, listOfKey } from '@patch/catalogue/lists.ts';
import { specified } from '@patch/catalogue/testing/specified.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { destroyPreferences, updatePreference } from '../api/preferences.ts';
import { newQueryClient } from '../api/query-client.ts';
import { signIn } from '../api/session.ts';
import { ConfirmHost } from '../widgets/confirm-modal.tsx';
import { ToastHost } from '../widgets/toast-host.tsx';
import { ListScreen } from './list-screen.tsx';
import { listSearchSchema } from './list-url.ts';

const alma = listOfKey('almalinux_patch');

interface Asked {
  readonly offset: number;
  readonly size: number;
  readonly sort: string | null;
  readonly filter?: string;
  readonly keyword?: string;
}

/** A server of `total` errata; what it was asked for is kept. */
function serve({
  total = 60,
  counted = { totalCount: total, updateCount: total },
  refusal,
  views = [],
  more = () => ({}),
  arrived = () => 0,
}: {
  readonly total?: number;
  /** How many updates the records are about. */
  readonly counted?: { readonly totalCount: number; readonly updateCount: number };
  /** Further fields of the row of that number. */
  readonly more?: (id: number) => object;
  /** Records that a sync has put before the others so far. */
  readonly arrived?: () => number;
  readonly views?: readonly object[];
  readonly refusal?: { readonly status: number; readonly userMessage: string };
}) {
  const asked: Asked[] = [];
  const reply = (status: number, body: unknown) => new Response(JSON.stringify(body), { status });
  const row = (id: number) => ({
    id,
    title: `Erratum ${id}`,
    bulletinId: `ALSA-2024:${1000 + id}`,
    severity: 'Critical',
    binaryPkgName: ['openssl'],
    ...more(id),
  });
  vi.stubGlobal('fetch', async (address: string, init: RequestInit = {}) => {
    const { pathname, searchParams } = new URL(address, 'http://console');
    if (pathname.endsWith('/views'))
      return reply(200, { objList: views, totalCount: views.length });
    if (pathname.endsWith('/alerts'))
      return reply(200, { objList: [], totalCount: 0, mailConfigured: true });
    if (pathname.endsWith('/patchsync/sources')) return reply(200, { objList: [], totalCount: 0 });
    if (pathname.endsWith('/preference')) {
      const { moduleName, preference } = JSON.parse(init.body as string) as {
        moduleName: string;
        preference: object;
      };
      return reply(200, { preferences: { [moduleName]: preference }, frame: {} });
    }
    if (init.method === 'GET')
      return reply(200, {
        ...row(Number(pathname.split('/').at(-1))),
        packages: [],
        modules: [],
        references: [],
        firstSeenTime: 1,
        changedTime: 1,
        withdrawnTime: null,
      });
    if (refusal !== undefined)
      return reply(refusal.status, { ...refusal, code: 'refused', requestId: 'req-42' });
    if (pathname.endsWith('/updates')) return reply(200, counted);
    const [offset, size] = [Number(searchParams.get('offset')), Number(searchParams.get('size'))];
    const body = JSON.parse((init.body ?? '{}') as string) as Pick<Asked, 'filter' | 'keyword'>;
    asked.push({ offset, size, sort: searchParams.get('sort'), ...body });
    const many = body.keyword === 'nothing' ? 0 : body.keyword === 'ALSA-2024:1007' ? 1 : total;
    const first = many === 1 ? 7 : offset + 1 - arrived();
    return reply(200, {
      objList: Array.from({ length: Math.max(0, Math.min(size, many - offset)) }, (_, place) =>
        row(first + place),
      ),
      totalCount: many,
    });
  });
  return asked;
}

async function open(address = '', list: CatalogueList = alma) {
  const root = createRootRoute();
  const route = createRoute({
    getParentRoute: () => root,
    path: '/list',
    validateSearch: listSearchSchema,
    component: () => <ListScreen list={list} />,
  });
  const router = createRouter({
    routeTree: root.addChildren([route]),
    history: createMemoryHistory({ initialEntries: [`/list${address}`] }),
  });
  render(
    <QueryClientProvider client={newQueryClient()}>
      <ToastHost />
      <ConfirmHost />
      {/* The router of the test has one page; its type is not the console's. */}
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  );
  await screen.findByRole('combobox', { name: `Search ${list.label}` });
  return { search: () => router.state.location.search as Record<string, unknown>, router };
}

const searchBox = () => screen.getByRole('combobox', { name: 'Search AlmaLinux patches' });
function type(words: string): void {
  fireEvent.change(searchBox(), { target: { value: words } });
  fireEvent.keyDown(searchBox(), { key: 'Enter' });
}
const chips = () => within(screen.getByRole('list', { name: 'Criteria' }));

beforeEach(() => {
  destroyPreferences();
  signIn('token', {
    id: 1,
    name: 'admin',
    email: 'a@example.org',
    userType: 'Admin',
    timezone: 'UTC',
    mustChangePassword: false,
  });
});

describe('rows and pages', () => {
  test('the first page, the exact total, the way to the others', async () => {
    const asked = serve({ total: 60 });
    const { search } = await open();
    expect(await screen.findByText('Erratum 25')).toBeTruthy();
    expect(screen.getByText('60 records')).toBeTruthy();
    expect(screen.getByText('1–25 of 60')).toBeTruthy();
    expect(asked).toEqual([{ offset: 0, size: 25, sort: '-releaseDate' }]);
    fireEvent.click(screen.getByRole('button', { name: 'Page 3' }));
    expect(await screen.findByText('51–60 of 60')).toBeTruthy();
    expect(await screen.findByText('Erratum 60')).toBeTruthy();
    expect(search()).toEqual({ page: 3 });
  });

  test('says how many updates the records are about, where several are about one', async () => {
    serve({ counted: { totalCount: 60, updateCount: 12 } });
    await open('', listOfKey('kb_repository'));
    expect(await screen.findByText('60 records of 12 updates')).toBeTruthy();
    cleanup();
    serve({ counted: { totalCount: 60, updateCount: 12 } });
    await open('?criteria=severity.equal.Critical', listOfKey('kb_repository'));
    expect(await screen.findByText('60 matching records of 12 updates')).toBeTruthy();
  });

  test('tells no number of updates that is of other records', async () => {
    serve({ counted: { totalCount: 59, updateCount: 12 } });
    await open('', listOfKey('kb_repository'));
    expect(await screen.findByText('60 records')).toBeTruthy();
    await act(async () => undefined);
    expect(screen.queryByText(/of 12 updates/)).toBeNull();
  });

  test('a page beyond the end is the last one', async () => {
    serve({ total: 60 });
    const { search } = await open('?page=900&size=50');
    await waitFor(() => expect(search()).toEqual({ page: 2, size: 50 }));
    expect(await screen.findByText('51–60 of 60')).toBeTruthy();
  });

  test('bad parameters never break the list', async () => {
    const asked = serve({});
    await open('?page=x&size=7&sort=-password&open=abc&criteria=titel.contains.x');
    expect(await screen.findByText('Erratum 1')).toBeTruthy();
    expect(asked[0]).toEqual({ offset: 0, size: 25, sort: '-releaseDate' });
    expect(screen.getByRole('alert').textContent).toContain(
      "The field 'titel' is not valid. Allowed fields are: bulletinId",
    );
  });

  test('heads sort and say so', async () => {
    const asked = serve({ total: 60 });
    const { search } = await open('?page=2');
    await screen.findByText('Erratum 26');
    fireEvent.click(screen.getByRole('button', { name: 'Severity' }));
    await waitFor(() => expect(search()).toEqual({ sort: 'severity' }));
    expect(screen.getByRole('columnheader', { name: 'Severity' }).getAttribute('aria-sort')).toBe(
      'ascending',
    );
    await waitFor(() => expect(asked.at(-1)).toMatchObject({ offset: 0, sort: 'severity' }));
  });
});

describe('marking rows', () => {
  const box = (id: number) =>
    screen.getByRole<HTMLInputElement>('checkbox', { name: `Select ALSA-2024:${1000 + id}` });

  test('marks hold over pages; all that match can be marked; another search begins with none', async () => {
    serve({ total: 60 });
    await open();
    await screen.findByText('Erratum 1');
    fireEvent.click(box(2));
    fireEvent.click(box(3));
    expect(screen.getByText('2 selected')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Next page' }));
    await screen.findByText('Erratum 26');
    fireEvent.click(screen.getByRole('checkbox', { name: 'Select all rows of the page' }));
    expect(screen.getByText('27 selected')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Select all 60 matching' }));
    expect(screen.getByText('60 selected')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Previous page' }));
    await screen.findByText('Erratum 1');
    expect(box(1).checked).toBe(true);
    type('openssl');
    await waitFor(() =>
      expect(screen.queryByRole('toolbar', { name: 'Selected rows' })).toBeNull(),
    );
  });

  test('Space marks the row of the cursor, and is left alone while something is typed', async () => {
    serve({ total: 60 });
    await open();
    await screen.findByText('Erratum 1');
    fireEvent.keyDown(document.body, { key: 'ArrowDown' });
    const row = document.activeElement as HTMLElement;
    expect(row.dataset['row']).toBe('1');
    fireEvent.keyDown(row, { key: ' ' });
    expect(box(1).checked).toBe(true);
    expect(row.getAttribute('aria-selected')).toBe('true');
    fireEvent.keyDown(row, { key: ' ' });
    expect(box(1).checked).toBe(false);
    searchBox().focus();
    fireEvent.keyDown(searchBox(), { key: ' ' });
    expect(screen.queryByRole('toolbar', { name: 'Selected rows' })).toBeNull();
  });
});

describe('what a person prefers', () => {
  const prefer = (preference: object) => updatePreference(alma.key, preference);

  test('pages that grow: Load More adds the next rows, each once, until all are there', async () => {
    prefer({ loadMode: 'loadmore' });
    const asked = serve({ total: 60 });
    const { search } = await open();
    expect(await screen.findByText('1–25 of 60')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Load More' }));
    expect(await screen.findByText('1–50 of 60')).toBeTruthy();
    expect(screen.getByText('Erratum 1')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Load More' }));
    expect(await screen.findByText('1–60 of 60')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Load More' })).toBeNull();
    expect(asked.map(({ offset }) => offset)).toEqual([0, 25, 50]);
    await waitFor(() => expect(search()).toEqual({ page: 3 }));
  });

  test('pages that grow: a row that a sync pushes to the next page is shown once', async () => {
    prefer({ loadMode: 'loadmore' });
    let arrived = 0;
    serve({ total: 60, arrived: () => arrived });
    await open();
    await screen.findByText('Erratum 25');
    arrived = 3;
    fireEvent.click(screen.getByRole('button', { name: 'Load More' }));
    await screen.findByText('Erratum 47');
    const shown = [...document.querySelectorAll<HTMLElement>('tr[data-row]')].map(
      ({ dataset }) => dataset['row'],
    );
    expect(shown).toEqual(Array.from({ length: 47 }, (_, place) => `${place + 1}`));
  });

  test('pages that grow: an address of a later page shows all rows up to it, in one call', async () => {
    prefer({ loadMode: 'loadmore' });
    const asked = serve({ total: 100 });
    const { search, router } = await open('?page=3');
    expect(await screen.findByText('1–75 of 100')).toBeTruthy();
    expect(screen.getByText('Erratum 75')).toBeTruthy();
    expect(asked.map(({ offset, size }) => [offset, size])).toEqual([[0, 75]]);
    fireEvent.click(screen.getByRole('button', { name: 'Load More' }));
    expect(await screen.findByText('1–100 of 100')).toBeTruthy();
    expect(search()).toEqual({ page: 4 });
    await act(() => router.navigate({ to: '.', search: { page: 2 } as never }));
    expect(await screen.findByText('1–50 of 100')).toBeTruthy();
    expect(screen.queryByText('Erratum 51')).toBeNull();
    await act(() => router.navigate({ to: '.', search: { page: 3 } as never }));
    expect(await screen.findByText('1–75 of 100')).toBeTruthy();
    expect(asked).toHaveLength(2);
  });

  test('pages that grow: an address beyond the end, or beyond a thousand rows, becomes the last page that is shown', async () => {
    prefer({ loadMode: 'loadmore' });
    const asked = serve({ total: 60 });
    const short = await open('?page=9');
    expect(await screen.findByText('1–60 of 60')).toBeTruthy();
    await waitFor(() => expect(short.search()).toEqual({ page: 3 }));
    cleanup();
    const more = serve({ total: 3000 });
    const long = await open('?page=90&size=50');
    expect(await screen.findByText('1–1,000 of 3,000')).toBeTruthy();
    await waitFor(() => expect(long.search()).toEqual({ page: 20, size: 50 }));
    expect([asked.length, more.length]).toEqual([1, 1]);
  });

  test('pages that grow: another sort while more rows are on their way is not taken back', async () => {
    prefer({ loadMode: 'loadmore' });
    serve({ total: 60 });
    const { search } = await open();
    await screen.findByText('1–25 of 60');
    fireEvent.click(screen.getByRole('button', { name: 'Load More' }));
    fireEvent.click(screen.getByRole('button', { name: 'Severity' }));
    await waitFor(() => expect(search()).toEqual({ sort: 'severity' }));
    expect(await screen.findByText('1–25 of 60')).toBeTruthy();
    await act(() => new Promise((resolve) => setTimeout(resolve, 50)));
    expect(search()).toEqual({ sort: 'severity' });
  });

  test('page size and sort hold for a bare address; what an address says comes first', async () => {
    prefer({ pageSize: 50, sort: '-severity' });
    const asked = serve({ total: 60 });
    const { search } = await open();
    expect(await screen.findByText('1–50 of 60')).toBeTruthy();
    expect(asked[0]).toEqual({ offset: 0, size: 50, sort: '-severity' });
    expect(search()).toEqual({});
    cleanup();
    await open('?size=10&sort=title');
    expect(await screen.findByText('1–10 of 60')).toBeTruthy();
    expect(asked.at(-1)).toEqual({ offset: 0, size: 10, sort: 'title' });
  });

  test('columns are chosen, each shown one can be moved; Reset goes back to the list’s own', async () => {
    serve({});
    await open();
    await screen.findByText('Erratum 1');
    const heads = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent);
    const own = heads();
    fireEvent.click(screen.getByRole('button', { name: 'Columns' }));
    const menu = within(await screen.findByRole('dialog', { name: 'Columns' }));
    fireEvent.click(menu.getByRole('checkbox', { name: 'Severity' }));
    expect(heads()).toEqual(own.filter((name) => name !== 'Severity'));
    expect(
      (await menu.findAllByRole('button', { name: /^Move / })).map((handle) =>
        handle.getAttribute('aria-label'),
      ),
    ).toEqual(
      own.filter((name) => name !== '' && name !== 'Severity').map((name) => `Move ${name}`),
    );
    fireEvent.click(menu.getByRole('button', { name: 'Reset' }));
    expect(heads()).toEqual(own);
  });

  test('columns that a later version has dropped are left out', async () => {
    prefer({ columns: ['gone', 'severity', 'title'] });
    serve({});
    await open();
    await screen.findByText('Erratum 1');
    expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
      '',
      'Severity',
      'Title',
    ]);
  });
});

describe('saved views', () => {
  const view = {
    id: 4,
    list: alma.key,
    name: 'Critical ones',
    shared: true,
    ownerName: 'stan',
    mayChange: true,
    isDefault: false,
    search: {
      criteria: 'severity.in.Critical',
      keyword: '',
      sort: 'title',
      columns: ['title', 'severity'],
    },
    updatedAt: 1,
  };
  const columns = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent);

  test('one is opened, changed and left again; its columns are not taken for the own ones', async () => {
    serve({ total: 60, views: [view] });
    const { search } = await open();
    await screen.findByText('Erratum 1');
    fireEvent.click(screen.getByRole('button', { name: 'Views' }));
    fireEvent.click(await screen.findByRole('button', { name: /^Critical ones/ }));
    await waitFor(() =>
      expect(search()).toEqual({
        criteria: 'severity.in.Critical',
        sort: 'title',
        columns: 'title,severity',
        view: 4,
      }),
    );
    expect(columns()).toEqual(['', 'Title', 'Severity']);
    expect(screen.getByRole('button', { name: 'Views' }).textContent).toContain('Critical ones');
    type('openssl');
    await waitFor(() =>
      expect(screen.getByRole('button', { name: 'Views' }).textContent).toContain('changed'),
    );
    fireEvent.click(screen.getByRole('button', { name: 'Views' }));
    fireEvent.click(await screen.findByRole('button', { name: 'All records' }));
    await waitFor(() => expect(search()).toEqual({ view: 'all' }));
    expect(columns().length).toBe(alma.columns.length + 1);
  });

  test('the default opens by itself where the address asks nothing, and rows are asked for once', async () => {
    const asked = serve({ total: 60, views: [{ ...view, isDefault: true }] });
    const { search } = await open();
    await screen.findByText('Erratum 1');
    expect(search()).toMatchObject({ criteria: 'severity.in.Critical', view: 4 });
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({ sort: 'title', filter: "lower(severity) in ('critical')" });
    cleanup();
    const { search: other } = await open('?keyword=kernel');
    await screen.findByText('Erratum 1');
    expect(other()).toEqual({ keyword: 'kernel' });
  });
});

describe('superseded records', () => {
  const kbs = listOfKey('kb_repository');
  const kb = (id: number) => ({
    kbId: `KB${5_090_000 + id}`,
    superseded: id === 1 ? true : id === 2 ? false : null,
  });
  const toggle = () => screen.findByRole('button', { name: 'Hide superseded' });
  const pressed = async () => (await toggle()).getAttribute('aria-pressed');

  test('are marked in words and drawn quieter', async () => {
    serve({ total: 3, more: kb });
    await open('', kbs);
    const row = (await screen.findByText('KB5090001')).closest('tr');
    expect(row?.textContent).toContain('Superseded');
    expect(
      [...document.querySelectorAll('tr[data-row]')].map((one) => one.hasAttribute('data-muted')),
    ).toEqual([true, false, false]);
    expect(screen.getAllByText('Superseded')).toHaveLength(1);
  });

  test('are hidden and shown again with one press, by a criterion of the address', async () => {
    const asked = serve({ total: 60, more: kb });
    const { search } = await open('?criteria=severity.in.Critical&page=2', kbs);
    expect(await pressed()).toBe('false');
    fireEvent.click(await toggle());
    await waitFor(() =>
      expect(search()).toEqual({ criteria: 'severity.in.Critical**superseded.not_equal.true' }),
    );
    await waitFor(() =>
      expect(asked.at(-1)).toMatchObject({
        offset: 0,
        filter: "lower(severity) in ('critical') and superseded != true",
      }),
    );
    expect(await pressed()).toBe('true');
    expect(chips().getByText('hidden')).toBeTruthy();
    fireEvent.click(await toggle());
    await waitFor(() => expect(search()).toEqual({ criteria: 'severity.in.Critical' }));
    expect(await pressed()).toBe('false');
  });

  test('a criterion that asks for them gives way to the press', async () => {
    serve({ more: kb });
    const { search } = await open('?criteria=superseded.equal.true', kbs);
    expect(await pressed()).toBe('false');
    fireEvent.click(await toggle());
    await waitFor(() => expect(search()).toEqual({ criteria: 'superseded.not_equal.true' }));
  });

  test('stay hidden in a saved view, however it says so', async () => {
    const view = (id: number, criteria: string) => ({
      id,
      list: kbs.key,
      name: `Current ${id}`,
      shared: false,
      ownerName: 'admin',
      mayChange: true,
      isDefault: id === 1,
      search: { criteria, keyword: '', sort: null, columns: null },
      updatedAt: 1,
    });
    serve({
      more: kb,
      views: [view(1, 'superseded.not_equal.true'), view(2, 'superseded.equal.false')],
    });
    const { search } = await open('', kbs);
    await waitFor(() =>
      expect(search()).toMatchObject({ criteria: 'superseded.not_equal.true', view: 1 }),
    );
    expect(await pressed()).toBe('true');
    cleanup();
    const second = await open('?criteria=superseded.equal.false&view=2', kbs);
    expect(await pressed()).toBe('true');
    fireEvent.click(await toggle());
    await waitFor(() => expect(second.search()).toEqual({ view: 2 }));
  });

  test('no other list offers it', async () => {
    serve({});
    await open();
    await screen.findByText('Erratum 1');
    expect(screen.queryByRole('button', { name: /^Hide/ })).toBeNull();
  });
});

describe('the search bar', () => {
  test('typed words become chips, Backspace takes the last, Clear all asks first', async () => {
    const asked = serve({ total: 12 });
    const { search } = await open('?page=2&size=10');
    await screen.findByText('Erratum 11');
    type('severity:critical,important openssl');
    await waitFor(() =>
      expect(search()).toEqual({
        criteria: 'severity.in.Critical*.Important',
        keyword: 'openssl',
        size: 10,
      }),
    );
    await waitFor(() =>
      expect(asked.at(-1)).toMatchObject({
        offset: 0,
        filter: "lower(severity) in ('critical','important')",
        keyword: 'openssl',
      }),
    );
    expect(chips().getByText('Critical, Important')).toBeTruthy();

    fireEvent.keyDown(searchBox(), { key: 'Backspace' });
    await waitFor(() =>
      expect(search()).toEqual({ criteria: 'severity.in.Critical*.Important', size: 10 }),
    );
    fireEvent.click(screen.getByRole('button', { name: 'Clear all' }));
    fireEvent.click(await screen.findByRole('button', { name: 'Yes' }));
    await waitFor(() => expect(search()).toEqual({ size: 10 }));
  });

  test('a field is chosen, its value picked, changed and removed', async () => {
    serve({});
    const { search } = await open();
    await screen.findByText('Erratum 1');
    fireEvent.click(searchBox());
    fireEvent.click(screen.getByRole('option', { name: /^Category/ }));
    const picker = await screen.findByRole('dialog', { name: 'Add criterion: Category' });
    fireEvent.click(within(picker).getByRole('button', { name: 'Done' }));
    expect(within(picker).getByRole('alert').textContent).toBe('Category needs at least one value');
    fireEvent.click(within(picker).getByRole('checkbox', { name: 'security' }));
    fireEvent.click(within(picker).getByRole('button', { name: 'Done' }));
    await waitFor(() => expect(search()).toEqual({ criteria: 'category.in.security' }));

    fireEvent.click(screen.getByTitle('Category is one of security'));
    const editor = await screen.findByRole('dialog', { name: 'Edit criterion: Category' });
    fireEvent.click(within(editor).getByRole('checkbox', { name: 'bugfix' }));
    fireEvent.click(within(editor).getByRole('button', { name: 'Done' }));
    await waitFor(() => expect(search()).toEqual({ criteria: 'category.in.security*.bugfix' }));
    fireEvent.click(screen.getByRole('button', { name: 'Remove Category' }));
    await waitFor(() => expect(search()).toEqual({}));
  });

  test('a keyword that is too long is refused in the words of the specification', async () => {
    serve({});
    const { search } = await open();
    type('x'.repeat(specified.keywordLength + 1));
    expect(await screen.findByText(specified.messages.keywordTooLong)).toBeTruthy();
    expect(screen.getByText(specified.messages.keywordTooLongTitle)).toBeTruthy();
    expect(search()).toEqual({});
    type('x'.repeat(specified.keywordLength));
    await waitFor(() => expect(search()).toEqual({ keyword: 'x'.repeat(specified.keywordLength) }));
  });

  test('an exact identifier opens its record', async () => {
    serve({});
    const { search } = await open();
    await screen.findByText('Erratum 1');
    type('ALSA-2024:1007');
    await waitFor(() => expect(search()).toEqual({ keyword: 'ALSA-2024:1007', open: 7 }));
    expect(
      await screen.findByRole('heading', { name: 'ALSA-2024:1007', hidden: true }),
    ).toBeTruthy();
    const drawer = screen.getByRole('dialog', { hidden: true });
    expect(drawer.getAttribute('aria-modal')).toBe('false');
    expect(drawer.closest<HTMLElement>('.ant-drawer-content-wrapper')?.style.width).toBe(
      specified.drawerWidth,
    );
  });
});

describe('keys', () => {
  const press = (key: string) => {
    fireEvent.keyDown(document.activeElement ?? document.body, { key });
  };

  test('rows, pages and search without a mouse', async () => {
    serve({ total: 60 });
    const { search } = await open();
    await screen.findByText('Erratum 1');
    press('ArrowDown');
    press('ArrowDown');
    expect((document.activeElement as HTMLElement).dataset['row']).toBe('2');
    press('Enter');
    await waitFor(() => expect(search()).toEqual({ open: 2 }));
    // The open record takes the keys until the list is gone back to.
    await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe('Close'));
    act(() => document.querySelector<HTMLElement>('[data-row="2"]')?.focus());
    press('PageDown');
    await waitFor(() => expect(search()).toEqual({ page: 2 }));
    await waitFor(() => expect((document.activeElement as HTMLElement).dataset['row']).toBe('26'));
    press('/');
    expect(document.activeElement).toBe(searchBox());
    press('PageDown');
    expect(search()).toEqual({ page: 2 });
  });

  test('only one row can be reached with Tab', async () => {
    serve({});
    await open();
    await screen.findByText('Erratum 1');
    expect(document.querySelectorAll('tr[tabindex="0"]')).toHaveLength(1);
  });
});

describe('instead of rows', () => {
  test('an empty catalogue offers a sync to who may start one', async () => {
    serve({ total: 0 });
    await open();
    expect(await screen.findByText('Nothing here yet')).toBeTruthy();
    expect(screen.getByText('AlmaLinux has not been synced yet.')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Sync now' }).getAttribute('href')).toBe(
      '/patch-repository/sync',
    );
  });

  test('no match offers to clear the filters', async () => {
    serve({});
    const { search } = await open('?keyword=nothing');
    fireEvent.click(await screen.findByRole('button', { name: 'Clear filters' }));
    await waitFor(() => expect(search()).toEqual({}));
    expect(await screen.findByText('Erratum 1')).toBeTruthy();
  });

  test('a failure tells its cause, its request and a way on', async () => {
    serve({ refusal: { status: 500, userMessage: 'The database is away.' } });
    await open();
    expect(await screen.findByText('The database is away.')).toBeTruthy();
    expect(screen.getByText('req-42')).toBeTruthy();
    serve({});
    fireEvent.click(screen.getByRole('button', { name: 'Reload' }));
    expect(await screen.findByText('Erratum 1')).toBeTruthy();
  });

  test('forbidden is not a failure: it can be asked again, and leads home', async () => {
    serve({ refusal: { status: 403, userMessage: 'Not for you.' } });
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
    fireEvent.click(instead.getByRole('button', { name: 'Reload' }));
    expect(await screen.findByText('Erratum 1')).toBeTruthy();
  });

  test('a search that the server refuses is told beside the bar', async () => {
    serve({ refusal: { status: 422, userMessage: "Unknown field 'x' at 1." } });
    await open('?criteria=title.contains.x');
    await waitFor(() => expect(screen.getAllByText("Unknown field 'x' at 1.").length).toBe(2));
    expect(screen.getByRole('button', { name: 'Clear the search' })).toBeTruthy();
  });
});
