import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { updatePreference } from '../api/preferences.ts';
import { person } from '../testing/person.ts';
import { alma, beginWithoutPreferences, open, serve } from './testing/served-list.tsx';

beforeEach(beginWithoutPreferences);

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
