import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { updatePreference } from '../api/preferences.ts';
import { person } from '../testing/person.ts';
import { alma, beginWithoutPreferences, open, serve } from './testing/served-list.tsx';

beforeEach(beginWithoutPreferences);

describe('preferences of the user', () => {
  const prefer = (preference: object) => updatePreference(alma.key, preference);

  test('load more: adds the next rows once each until all are shown', async () => {
    prefer({ loadMode: 'loadmore' });
    const calls = serve({ total: 60 });
    const { search } = await open();
    expect(await screen.findByText('1–25 of 60')).toBeTruthy();
    await person.click(screen.getByRole('button', { name: 'Load More' }));
    expect(await screen.findByText('1–50 of 60')).toBeTruthy();
    expect(screen.getByText('Erratum 1')).toBeTruthy();
    await person.click(screen.getByRole('button', { name: 'Load More' }));
    expect(await screen.findByText('1–60 of 60')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Load More' })).toBeNull();
    expect(calls.map(({ offset }) => offset)).toEqual([0, 25, 50]);
    await waitFor(() => expect(search()).toEqual({ page: 3 }));
  });

  test('load more: shows a row once when a sync moves it to the next page', async () => {
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
    expect(shown).toEqual(Array.from({ length: 47 }, (_, index) => `${index + 1}`));
  });

  test('load more: loads all rows up to the page of the address in one call', async () => {
    prefer({ loadMode: 'loadmore' });
    const calls = serve({ total: 100 });
    const { search, router } = await open('?page=3');
    expect(await screen.findByText('1–75 of 100')).toBeTruthy();
    expect(screen.getByText('Erratum 75')).toBeTruthy();
    expect(calls.map(({ offset, size }) => [offset, size])).toEqual([[0, 75]]);
    await person.click(screen.getByRole('button', { name: 'Load More' }));
    expect(await screen.findByText('1–100 of 100')).toBeTruthy();
    expect(search()).toEqual({ page: 4 });
    await act(() => router.navigate({ to: '.', search: { page: 2 } as never }));
    expect(await screen.findByText('1–50 of 100')).toBeTruthy();
    expect(screen.queryByText('Erratum 51')).toBeNull();
    await act(() => router.navigate({ to: '.', search: { page: 3 } as never }));
    expect(await screen.findByText('1–75 of 100')).toBeTruthy();
    expect(calls).toHaveLength(2);
  });

  test('load more: replaces a page beyond the end or a thousand rows by the last shown page', async () => {
    prefer({ loadMode: 'loadmore' });
    const calls = serve({ total: 60 });
    const short = await open('?page=9');
    expect(await screen.findByText('1–60 of 60')).toBeTruthy();
    await waitFor(() => expect(short.search()).toEqual({ page: 3 }));
    cleanup();
    const more = serve({ total: 3000 });
    const long = await open('?page=90&size=50');
    // Rendering a thousand rows takes seconds, longer on a busy machine.
    expect(await screen.findByText('1–1,000 of 3,000', {}, { timeout: 30_000 })).toBeTruthy();
    await waitFor(() => expect(long.search()).toEqual({ page: 20, size: 50 }));
    expect([calls.length, more.length]).toEqual([1, 1]);
  }, 60_000);

  test('load more: keeps a new order while more rows load', async () => {
    prefer({ loadMode: 'loadmore' });
    const blocked = Promise.withResolvers<void>();
    const calls = serve({
      total: 60,
      until: ({ offset }) => (offset === 25 ? blocked.promise : undefined),
    });
    const { search } = await open();
    await screen.findByText('1–25 of 60');
    await person.click(screen.getByRole('button', { name: 'Load More' }));
    await waitFor(() => expect(calls).toHaveLength(2));
    await person.click(screen.getByRole('button', { name: 'Severity' }));
    await waitFor(() => expect(search()).toEqual({ sort: 'severity' }));
    expect(await screen.findByText('1–25 of 60')).toBeTruthy();
    blocked.resolve();
    await act(() => new Promise((resolve) => setTimeout(resolve, 50)));
    expect(search()).toEqual({ sort: 'severity' });
  });

  test('page size and order apply to a bare address; parameters of the address take precedence', async () => {
    prefer({ pageSize: 50, sort: '-severity' });
    const calls = serve({ total: 60 });
    const { search } = await open();
    expect(await screen.findByText('1–50 of 60')).toBeTruthy();
    expect(calls[0]).toEqual({ offset: 0, size: 50, sort: '-severity' });
    expect(search()).toEqual({});
    cleanup();
    await open('?size=10&sort=title');
    expect(await screen.findByText('1–10 of 60')).toBeTruthy();
    expect(calls.at(-1)).toEqual({ offset: 0, size: 10, sort: 'title' });
  });

  test('the default order changes with Set as default only', async () => {
    const calls = serve({ total: 60 });
    const { search } = await open();
    await screen.findByText('Erratum 1');
    const keep = () => screen.queryByRole('button', { name: 'Set this order as default' });
    expect(keep()).toBeNull();
    await person.click(screen.getByRole('button', { name: 'Severity' }));
    await waitFor(() => expect(search()).toEqual({ sort: 'severity' }));
    cleanup();
    await open();
    await screen.findByText('Erratum 1');
    expect(calls.at(-1)).toMatchObject({ sort: '-releaseDate' });

    await person.click(screen.getByRole('button', { name: 'Severity' }));
    await person.click(await screen.findByRole('button', { name: 'Set this order as default' }));
    await waitFor(() => expect(keep()).toBeNull());
    cleanup();
    const again = await open();
    await screen.findByText('Erratum 1');
    expect(calls.at(-1)).toMatchObject({ sort: 'severity' });

    // The list's original order is no longer the default and therefore appears in the address.
    await person.click(screen.getByRole('button', { name: 'Release date' }));
    await waitFor(() => expect(again.search()).toEqual({ sort: 'releaseDate' }));
    await person.click(screen.getByRole('button', { name: 'Release date' }));
    await waitFor(() => expect(again.search()).toEqual({ sort: '-releaseDate' }));
    await waitFor(() => expect(calls.at(-1)).toMatchObject({ sort: '-releaseDate' }));
  });

  test('columns can be hidden and moved; Reset restores the defaults of the list', async () => {
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

  test('rows are dense, and more are loaded in place of pages, when the menu says so', async () => {
    serve({});
    await open();
    await screen.findByText('Erratum 1');
    expect(screen.queryByRole('button', { name: 'Load More' })).toBeNull();
    await person.click(screen.getByRole('button', { name: 'Columns' }));
    const menu = within(await screen.findByRole('dialog', { name: 'Columns' }));
    await person.click(menu.getByRole('checkbox', { name: 'Load more instead of pages' }));
    expect(await screen.findByRole('button', { name: 'Load More' })).toBeTruthy();
    const dense = menu.getByRole('checkbox', { name: 'Dense' });
    await person.click(dense);
    expect(dense).toHaveProperty('checked', true);
  });

  test('unknown columns are ignored', async () => {
    prefer({ columns: ['gone', 'severity', 'title', 'releaseDate'] });
    serve({});
    await open();
    await screen.findByText('Erratum 1');
    expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
      '',
      'Severity',
      'Title',
      'Release date',
    ]);
  });
});
