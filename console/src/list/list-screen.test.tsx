import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
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
