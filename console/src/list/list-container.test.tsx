import { getField } from '@patch/catalogue/definition/list-definition.ts';
import { type CatalogueList, getList } from '@patch/catalogue/lists.ts';
import { specified } from '@patch/catalogue/testing/specified.ts';
import { groupedSearchEndpoint } from '@patch/contract/records/grouped-search-endpoint.ts';
import { searchEndpoint } from '@patch/contract/records/search-endpoint.ts';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { destroyPreferences } from '../api/preferences.ts';
import { emptyService } from '../testing/empty-service.ts';
import { addReplies, refuse, reply } from '../testing/fake-api.ts';
import { person } from '../testing/person.ts';
import { renderInApp } from '../testing/render-in-app.tsx';
import { signInAs } from '../testing/sign-in-as.ts';
import { listSearchSchema } from './address/list-url.ts';
import { ListScreen } from './list-screen.tsx';

const alma = getList('almalinux_patch');

/** Serves `total` errata; all other lists are empty. */
function serve(total: number, idAt: (index: number) => number = (index) => index + 1): void {
  addReplies(
    reply(searchEndpoint(alma), ({ query }) => {
      const [offset, size] = [Number(query['offset']), Number(query['size'])];
      const count = Math.max(0, Math.min(size, total - offset));
      const objList = Array.from({ length: count }, (_, index) => ({
        id: idAt(offset + index),
        title: `Erratum ${idAt(offset + index)}`,
        bulletinId: `ALSA-2024:${1001 + offset + index}`,
        severity: null,
        category: '',
        binaryPkgName: [],
        releaseDate: Date.UTC(2024, 2, 5),
      }));
      return { objList, totalCount: count === 0 ? 0 : total };
    }),
  );
}

beforeEach(() => {
  destroyPreferences();
  addReplies(...emptyService(signInAs()));
  serve(60);
});

async function open(address = '', list: CatalogueList = alma) {
  await renderInApp(<ListScreen list={list} />, {
    route: '/list',
    path: `/list${address}`,
    searchSchema: listSearchSchema,
  });
  return screen.findByRole('combobox', { name: `Search ${list.label}` });
}

function narrowWindow(): void {
  onTestFinished(() => void vi.unstubAllGlobals());
  vi.stubGlobal('matchMedia', (media: string) => ({
    matches: media.includes('width <'),
    media,
    addEventListener: () => {},
    removeEventListener: () => {},
  }));
}

describe('rows', () => {
  test('are shown as a table, or as cards on a narrow screen', async () => {
    await open();
    expect(await screen.findByRole('grid', { name: 'AlmaLinux patches' })).toBeTruthy();
    cleanup();
    narrowWindow();
    await open();
    const items = within(await screen.findByRole('list', { name: 'AlmaLinux patches' }));
    expect(await items.findByText('ALSA-2024:1001')).toBeTruthy();
    expect(screen.queryByRole('grid')).toBeNull();

    // A card omits empty values.
    const first = items.getByText('ALSA-2024:1001').closest('li') as HTMLElement;
    expect(
      within(first)
        .getAllByRole('term')
        .map(({ textContent }) => textContent),
    ).toEqual(['Release date']);
  });

  test('show the value that they are sorted by, as a column or on the card', async () => {
    const kbBase = getList('kb_repository');
    addReplies(
      reply(groupedSearchEndpoint(kbBase), {
        objList: [{ id: 1 }],
        groups: [{ ids: [1], matching: 1, records: 1 }],
        totalCount: 1,
        updateCount: 1,
      }),
    );
    await open('?sort=-epss', kbBase);
    const head = await screen.findByRole('columnheader', { name: 'EPSS' });
    expect(head.getAttribute('aria-sort')).toBe('descending');
    cleanup();
    narrowWindow();
    await open('?sort=-epss', kbBase);
    expect((await screen.findByRole('term')).textContent).toBe('EPSS');
    expect(screen.getByRole('definition').textContent).toContain('None');
  });
});

describe('an order of several fields', () => {
  test('is named on wide and narrow screens', async () => {
    const allPatches = getList('all_patches');
    addReplies(reply(searchEndpoint(allPatches), { objList: [{ id: 1 }], totalCount: 1 }));
    await open('?sort=-releaseDate', allPatches);
    expect(screen.queryByText(/^Sorted by /)).toBeNull();
    cleanup();
    await open('', allPatches);
    expect(await screen.findByText('Sorted by What to patch first')).toBeTruthy();
    cleanup();
    narrowWindow();
    await open('', allPatches);
    const choice = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Sort by' });
    expect(choice.selectedOptions[0]?.textContent).toBe('What to patch first');
  });
});

describe('the search bar', () => {
  const listKeys = [
    'patch_repository',
    'kb_repository',
    'linux_notice',
    'thirdparty_patch',
    'floto_user',
  ] as const;
  test.each(listKeys.map((key) => [getList(key).label, getList(key)] as const))(
    'offers every searchable field of %s',
    async (_, list) => {
      const box = await open('?view=all', list);
      await person.click(box);
      const offered = within(screen.getByRole('listbox'))
        .getAllByRole('option')
        .map(({ textContent }) => textContent);
      expect(offered).toEqual(
        list.searchable.map(
          (name) => expect.stringContaining(getField(list, name).label) as string,
        ),
      );
    },
  );
});

describe('the licensed clients for a Standard user', () => {
  const clients = getList('floto_user');
  beforeEach(() => {
    addReplies(
      reply(searchEndpoint(clients), { objList: [{ id: 1 }], totalCount: 1 }),
      ...emptyService(signInAs({ id: 2, name: 'stan', userType: 'Standard' })),
    );
  });

  test('do not offer the activation code as criterion or order', async () => {
    const box = await open('?sort=activationCode', clients);
    await person.click(box);
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
  test('has 25 items a page, or 10 or 50; the endpoint defaults to 1000', async () => {
    expect(searchEndpoint(alma).query.parse({})).toEqual(specified.searchDefaults);
    await open();
    expect(await screen.findByText(`1–${specified.pageSizes.list} of 60`)).toBeTruthy();
    await person.selectOptions(screen.getByRole('combobox', { name: 'Rows per page' }), '50');
    expect(await screen.findByText('1–50 of 60')).toBeTruthy();
    const offered = within(screen.getByRole('combobox', { name: 'Rows per page' })).getAllByRole(
      'option',
    );
    expect(offered.map(({ textContent }) => textContent)).toEqual(
      specified.pageSizes.options.map((size) => `${size} per page`),
    );
  });

  test('shows a row once when the reply contains it twice', async () => {
    serve(60, (index) => (index > 3 ? index : index + 1));
    await open();
    expect(await screen.findByText('Erratum 24')).toBeTruthy();
    expect(
      [...document.querySelectorAll<HTMLElement>('tr[data-row]')].map(
        ({ dataset }) => dataset['row'],
      ),
    ).toEqual(Array.from({ length: 24 }, (_, index) => `${index + 1}`));
  });

  test('links page numbers, and jumps of five pages between them', async () => {
    serve(500);
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
    await person.click(screen.getByRole('button', { name: '5 pages back' }));
    expect(await screen.findByText('101–125 of 500')).toBeTruthy();
    await person.click(screen.getByRole('button', { name: 'Page 20' }));
    expect(await screen.findByText('476–500 of 500')).toBeTruthy();
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Next page' }).disabled).toBe(
      true,
    );
  });

  test('has no pager for a single page', async () => {
    const total = specified.pageSizes.list;
    serve(total);
    await open();
    expect(await screen.findByText(`Erratum ${total}`)).toBeTruthy();
    expect(screen.queryByRole('navigation', { name: 'Pages' })).toBeNull();
    expect(screen.getByText(`${total} records`)).toBeTruthy();
    cleanup();
    serve(total + 1);
    await open();
    expect(await screen.findByRole('button', { name: 'Next page' })).toBeTruthy();
  });
});

test('shows the specified text for a search without matches', async () => {
  serve(0);
  await open('?keyword=nothing');
  expect(await screen.findByText(specified.catalogueMessages.noData)).toBeTruthy();
});

test('shows a failed search in a notification titled Error, and its cause instead of the rows', async () => {
  addReplies(refuse(searchEndpoint(alma), 500, { userMessage: 'The database is away.' }));
  await open();
  expect(await screen.findByText('The list could not be loaded.')).toBeTruthy();
  expect(screen.getByText(specified.errors.failedTitle)).toBeTruthy();
  expect(screen.getByText('The database is away.')).toBeTruthy();
  expect(screen.getByText('req-42')).toBeTruthy();
  serve(60);
  await person.click(screen.getByRole('button', { name: 'Reload' }));
  await waitFor(() => expect(screen.queryByText('The database is away.')).toBeNull());
});
