import { type CatalogueList, listOfKey } from '@patch/catalogue/lists.ts';
import { specified } from '@patch/catalogue/testing/specified.ts';
import { detailEndpoint } from '@patch/contract/detail-endpoint.ts';
import type { ListPreference } from '@patch/contract/preference-endpoints.ts';
import { savePreferenceEndpoint } from '@patch/contract/preference-endpoints.ts';
import type { WireValue } from '@patch/contract/row-schema.ts';
import { type SavedView, savedViewsEndpoint } from '@patch/contract/saved-view-endpoints.ts';
import { type SearchBody, searchEndpoint } from '@patch/contract/search-endpoint.ts';
import { updateCountEndpoint } from '@patch/contract/update-count-endpoint.ts';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { destroyPreferences, updatePreference } from '../api/preferences.ts';
import { emptyService } from '../testing/empty-service.ts';
import { addReplies, refusal, reply } from '../testing/fake-api.ts';
import { fillIn, pasteInto, person, pressKey } from '../testing/person.ts';
import { renderInApp } from '../testing/render-in-app.tsx';
import { signInAs } from '../testing/sign-in-as.ts';
import { ListScreen } from './list-screen.tsx';
import { listSearchSchema } from './list-url.ts';

const alma = listOfKey('almalinux_patch');
const kbs = listOfKey('kb_repository');

interface Asked extends NonNullable<SearchBody> {
  readonly offset: number;
  readonly size: number;
  readonly sort: string | null;
}

interface Served {
  readonly total?: number;
  /** How many updates the records are about. */
  readonly counted?: { readonly totalCount: number; readonly updateCount: number };
  /** Further fields of the row of that number. */
  readonly more?: (id: number) => Readonly<Record<string, WireValue>>;
  /** Records that a sync has put before the others so far. */
  readonly arrived?: () => number;
  /** Keeps a search waiting. */
  readonly until?: (search: Asked) => Promise<void> | undefined;
  readonly views?: SavedView[];
  readonly refused?: { readonly status: number; readonly userMessage: string };
}

/** A server of `total` errata and as many KBs; the searches that it answered are kept. */
function serve(served: Served): readonly Asked[] {
  const { total = 60, counted = { totalCount: total, updateCount: total }, views = [] } = served;
  const asked: Asked[] = [];
  addReplies(
    reply(savedViewsEndpoint, { objList: views, totalCount: views.length }),
    reply(savePreferenceEndpoint, ({ body }) => {
      const saved = body as { readonly moduleName: string; readonly preference: ListPreference };
      return { preferences: { [saved.moduleName]: saved.preference }, frame: {} };
    }),
    reply(detailEndpoint(alma), ({ params }) => ({
      ...rowOf(Number(params['id']), served),
      packages: [],
      modules: [],
      references: [],
      firstSeenTime: 1,
      changedTime: 1,
      withdrawnTime: null,
    })),
    reply(updateCountEndpoint(kbs), counted),
    ...[alma, kbs].map((list) => searchReply(list, served, asked)),
  );
  return asked;
}

function searchReply(list: CatalogueList, served: Served, asked: Asked[]) {
  const { total = 60, arrived = () => 0, until, refused } = served;
  return reply(searchEndpoint(list), async ({ query, body }) => {
    if (refused !== undefined) return refusal(refused.status, refused);
    const [offset, size] = [Number(query['offset']), Number(query['size'])];
    const search = { offset, size, sort: query['sort'] ?? null, ...(body as SearchBody) };
    asked.push(search);
    await until?.(search);
    const { keyword } = search;
    const many = keyword === 'nothing' ? 0 : keyword === 'ALSA-2024:1007' ? 1 : total;
    const first = many === 1 ? 7 : offset + 1 - arrived();
    return {
      objList: Array.from({ length: Math.max(0, Math.min(size, many - offset)) }, (_, place) =>
        rowOf(first + place, served),
      ),
      totalCount: many,
    };
  });
}

function rowOf(id: number, { more = () => ({}) }: Served) {
  return {
    id,
    title: `Erratum ${id}`,
    bulletinId: `ALSA-2024:${1000 + id}`,
    severity: 'Critical',
    binaryPkgName: ['openssl'],
    ...more(id),
  };
}

async function open(address = '', list: CatalogueList = alma) {
  const { search, router } = await renderInApp(<ListScreen list={list} />, {
    route: '/list',
    path: `/list${address}`,
    searchSchema: listSearchSchema,
  });
  await screen.findByRole('combobox', { name: `Search ${list.label}` });
  return { search, router };
}

const searchBox = () => screen.getByRole('combobox', { name: 'Search AlmaLinux patches' });
async function ask(words: string): Promise<void> {
  await fillIn(searchBox(), words);
  await pressKey('Enter', searchBox());
}
const chips = () => within(screen.getByRole('list', { name: 'Criteria' }));

beforeEach(() => {
  destroyPreferences();
  addReplies(...emptyService(signInAs({ email: 'a@example.org' })));
});

describe('rows and pages', () => {
  test('the first page, the exact total, the way to the others', async () => {
    const asked = serve({ total: 60 });
    const { search } = await open();
    expect(await screen.findByText('Erratum 25')).toBeTruthy();
    expect(screen.getByText('60 records')).toBeTruthy();
    expect(screen.getByText('1–25 of 60')).toBeTruthy();
    expect(asked).toEqual([{ offset: 0, size: 25, sort: '-releaseDate' }]);
    await person.click(screen.getByRole('button', { name: 'Page 3' }));
    expect(await screen.findByText('51–60 of 60')).toBeTruthy();
    expect(await screen.findByText('Erratum 60')).toBeTruthy();
    expect(search()).toEqual({ page: 3 });
  });

  test('says how many updates the records are about, where several are about one', async () => {
    serve({ counted: { totalCount: 60, updateCount: 12 } });
    await open('', kbs);
    expect(await screen.findByText('60 records of 12 updates')).toBeTruthy();
    cleanup();
    serve({ counted: { totalCount: 60, updateCount: 12 } });
    await open('?criteria=severity.equal.Critical', kbs);
    expect(await screen.findByText('60 matching records of 12 updates')).toBeTruthy();
  });

  test('tells no number of updates that is of other records', async () => {
    serve({ counted: { totalCount: 59, updateCount: 12 } });
    await open('', kbs);
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
    await person.click(screen.getByRole('button', { name: 'Severity' }));
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

  test('Space marks the row of the cursor, and is left alone while something is typed', async () => {
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

describe('what a person prefers', () => {
  const prefer = (preference: object) => updatePreference(alma.key, preference);

  test('pages that grow: Load More adds the next rows, each once, until all are there', async () => {
    prefer({ loadMode: 'loadmore' });
    const asked = serve({ total: 60 });
    const { search } = await open();
    expect(await screen.findByText('1–25 of 60')).toBeTruthy();
    await person.click(screen.getByRole('button', { name: 'Load More' }));
    expect(await screen.findByText('1–50 of 60')).toBeTruthy();
    expect(screen.getByText('Erratum 1')).toBeTruthy();
    await person.click(screen.getByRole('button', { name: 'Load More' }));
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
    await person.click(screen.getByRole('button', { name: 'Load More' }));
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
    await person.click(screen.getByRole('button', { name: 'Load More' }));
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
    // A thousand rows take seconds to be drawn here, and longer on a busy machine.
    expect(await screen.findByText('1–1,000 of 3,000', {}, { timeout: 30_000 })).toBeTruthy();
    await waitFor(() => expect(long.search()).toEqual({ page: 20, size: 50 }));
    expect([asked.length, more.length]).toEqual([1, 1]);
  }, 60_000);

  test('pages that grow: another sort while more rows are on their way is not taken back', async () => {
    prefer({ loadMode: 'loadmore' });
    const held = Promise.withResolvers<void>();
    const asked = serve({
      total: 60,
      until: ({ offset }) => (offset === 25 ? held.promise : undefined),
    });
    const { search } = await open();
    await screen.findByText('1–25 of 60');
    await person.click(screen.getByRole('button', { name: 'Load More' }));
    await waitFor(() => expect(asked).toHaveLength(2));
    await person.click(screen.getByRole('button', { name: 'Severity' }));
    await waitFor(() => expect(search()).toEqual({ sort: 'severity' }));
    expect(await screen.findByText('1–25 of 60')).toBeTruthy();
    held.resolve();
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

  test('sorting once leaves the order in which the list opens; Set as default changes it', async () => {
    const asked = serve({ total: 60 });
    const { search } = await open();
    await screen.findByText('Erratum 1');
    const keep = () => screen.queryByRole('button', { name: 'Set this order as default' });
    expect(keep()).toBeNull();
    await person.click(screen.getByRole('button', { name: 'Severity' }));
    await waitFor(() => expect(search()).toEqual({ sort: 'severity' }));
    cleanup();
    await open();
    await screen.findByText('Erratum 1');
    expect(asked.at(-1)).toMatchObject({ sort: '-releaseDate' });

    await person.click(screen.getByRole('button', { name: 'Severity' }));
    await person.click(await screen.findByRole('button', { name: 'Set this order as default' }));
    await waitFor(() => expect(keep()).toBeNull());
    cleanup();
    const again = await open();
    await screen.findByText('Erratum 1');
    expect(asked.at(-1)).toMatchObject({ sort: 'severity' });

    // The list's own order is another one now, and can be asked for.
    await person.click(screen.getByRole('button', { name: 'Release date' }));
    await waitFor(() => expect(again.search()).toEqual({ sort: 'releaseDate' }));
    await person.click(screen.getByRole('button', { name: 'Release date' }));
    await waitFor(() => expect(again.search()).toEqual({ sort: '-releaseDate' }));
    await waitFor(() => expect(asked.at(-1)).toMatchObject({ sort: '-releaseDate' }));
  });

  test('columns are chosen, each shown one can be moved; Reset goes back to the list’s own', async () => {
    serve({});
    await open();
    await screen.findByText('Erratum 1');
    const heads = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent);
    const own = heads();
    await person.click(screen.getByRole('button', { name: 'Columns' }));
    const menu = within(await screen.findByRole('dialog', { name: 'Columns' }));
    await person.click(menu.getByRole('checkbox', { name: 'Severity' }));
    expect(heads()).toEqual(own.filter((name) => name !== 'Severity'));
    expect(
      (await menu.findAllByRole('button', { name: /^Move / })).map((handle) =>
        handle.getAttribute('aria-label'),
      ),
    ).toEqual(
      own.filter((name) => name !== '' && name !== 'Severity').map((name) => `Move ${name}`),
    );
    await person.click(menu.getByRole('button', { name: 'Reset' }));
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
    await person.click(screen.getByRole('button', { name: 'Views' }));
    await person.click(await screen.findByRole('button', { name: /^Critical ones/ }));
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
    await ask('openssl');
    await waitFor(() =>
      expect(screen.getByRole('button', { name: 'Views' }).textContent).toContain('changed'),
    );
    await person.click(screen.getByRole('button', { name: 'Views' }));
    await person.click(await screen.findByRole('button', { name: 'All records' }));
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

  test('a link to a view opens it, before any other rows are asked for', async () => {
    const asked = serve({ total: 60, views: [{ ...view, isDefault: false }] });
    const { search } = await open('?view=4');
    await screen.findByText('Erratum 1');
    expect(search()).toMatchObject({ criteria: 'severity.in.Critical', view: 4 });
    expect(asked.map(({ filter }) => filter)).toEqual(["lower(severity) in ('critical')"]);
    cleanup();
    await open('?view=99');
    expect(await screen.findByText('Erratum 1')).toBeTruthy();
  });
});

describe('superseded records', () => {
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
    await person.click(await toggle());
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
    await person.click(await toggle());
    await waitFor(() => expect(search()).toEqual({ criteria: 'severity.in.Critical' }));
    expect(await pressed()).toBe('false');
  });

  test('a criterion that asks for them gives way to the press', async () => {
    serve({ more: kb });
    const { search } = await open('?criteria=superseded.equal.true', kbs);
    expect(await pressed()).toBe('false');
    await person.click(await toggle());
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
    await person.click(await toggle());
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
    await ask('severity:critical,important openssl');
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

    await pressKey('Backspace', searchBox());
    await waitFor(() =>
      expect(search()).toEqual({ criteria: 'severity.in.Critical*.Important', size: 10 }),
    );
    await person.click(screen.getByRole('button', { name: 'Clear all' }));
    await person.click(await screen.findByRole('button', { name: 'Yes' }));
    await waitFor(() => expect(search()).toEqual({ size: 10 }));
  });

  test('a field is chosen, its value picked, changed and removed', async () => {
    serve({});
    const { search } = await open();
    await screen.findByText('Erratum 1');
    await person.click(searchBox());
    await person.click(screen.getByRole('option', { name: /^Category/ }));
    const picker = await screen.findByRole('dialog', { name: 'Add criterion: Category' });
    await person.click(within(picker).getByRole('button', { name: 'Done' }));
    expect(within(picker).getByRole('alert').textContent).toBe('Category needs at least one value');
    await person.click(within(picker).getByRole('checkbox', { name: 'security' }));
    await person.click(within(picker).getByRole('button', { name: 'Done' }));
    await waitFor(() => expect(search()).toEqual({ criteria: 'category.in.security' }));

    await person.click(screen.getByTitle('Category is one of security'));
    const editor = await screen.findByRole('dialog', { name: 'Edit criterion: Category' });
    await person.click(within(editor).getByRole('checkbox', { name: 'bugfix' }));
    await person.click(within(editor).getByRole('button', { name: 'Done' }));
    await waitFor(() => expect(search()).toEqual({ criteria: 'category.in.security*.bugfix' }));
    await person.click(screen.getByRole('button', { name: 'Remove Category' }));
    await waitFor(() => expect(search()).toEqual({}));
  });

  test('a keyword that is too long is refused in the words of the specification', async () => {
    serve({});
    const { search } = await open();
    await pasteInto(searchBox(), 'x'.repeat(specified.keywordLength + 1));
    await pressKey('Enter', searchBox());
    expect(await screen.findByText(specified.messages.keywordTooLong)).toBeTruthy();
    expect(screen.getByText(specified.messages.keywordTooLongTitle)).toBeTruthy();
    expect(search()).toEqual({});
    await pasteInto(searchBox(), 'x'.repeat(specified.keywordLength));
    await pressKey('Enter', searchBox());
    await waitFor(() => expect(search()).toEqual({ keyword: 'x'.repeat(specified.keywordLength) }));
  });

  test('a phrase stays one in the address and in the call', async () => {
    const asked = serve({});
    const { search } = await open();
    await screen.findByText('Erratum 1');
    await ask('"open ssl"');
    await waitFor(() => expect(search()).toEqual({ keyword: '"open ssl"' }));
    await waitFor(() => expect(asked.at(-1)?.keyword).toBe('"open ssl"'));
    expect(chips().getByTitle('Keyword contains "open ssl"')).toBeTruthy();
  });

  test('an exact identifier opens its record', async () => {
    serve({});
    const { search } = await open();
    await screen.findByText('Erratum 1');
    await ask('ALSA-2024:1007');
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
  test('rows, pages and search without a mouse', async () => {
    serve({ total: 60 });
    const { search } = await open();
    await screen.findByText('Erratum 1');
    await pressKey('ArrowDown');
    await pressKey('ArrowDown');
    expect((document.activeElement as HTMLElement).dataset['row']).toBe('2');
    await pressKey('Enter');
    await waitFor(() => expect(search()).toEqual({ open: 2 }));
    // The open record takes the keys until the list is gone back to.
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
    await person.click(await screen.findByRole('button', { name: 'Clear filters' }));
    await waitFor(() => expect(search()).toEqual({}));
    expect(await screen.findByText('Erratum 1')).toBeTruthy();
  });

  test('a failure tells its cause, its request and a way on', async () => {
    serve({ refused: { status: 500, userMessage: 'The database is away.' } });
    await open();
    expect(await screen.findByText('The database is away.')).toBeTruthy();
    expect(screen.getByText('req-42')).toBeTruthy();
    serve({});
    await person.click(screen.getByRole('button', { name: 'Reload' }));
    expect(await screen.findByText('Erratum 1')).toBeTruthy();
  });

  test('forbidden is not a failure: it can be asked again, and leads home', async () => {
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

  test('a search that the server refuses is told beside the bar', async () => {
    serve({ refused: { status: 422, userMessage: "Unknown field 'x' at 1." } });
    await open('?criteria=title.contains.x');
    await waitFor(() => expect(screen.getAllByText("Unknown field 'x' at 1.").length).toBe(2));
    expect(screen.getByRole('button', { name: 'Clear the search' })).toBeTruthy();
  });
});
