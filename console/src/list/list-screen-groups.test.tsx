import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { updatePreference } from '../api/preferences.ts';
import { person } from '../testing/person.ts';
import { beginWithoutPreferences, kbs, open, serve } from './testing/served-list.tsx';

beforeEach(beginWithoutPreferences);

/** The first two updates have records that stand in no row, the second more than match. */
const served = {
  total: 60,
  updates: 2,
  group: (id: number) =>
    id === 1
      ? { ids: [1, 101, 102], matching: 3, records: 3 }
      : { ids: [id], matching: 1, records: id === 2 ? 23 : 1 },
};
const rowIds = () =>
  [...document.querySelectorAll('tr[data-row]')].map((row) => row.getAttribute('data-row'));

describe('rows of one update', () => {
  test('stand in one row that says how many they are, with both totals', async () => {
    const calls = serve(served);
    await open('', kbs);
    expect(await screen.findByRole('button', { name: '3 records' })).toBeTruthy();
    expect(screen.getByText(/^1 of 23/).textContent).toBe('1 of 23 records');
    expect(screen.getByText('60 records of 2 updates')).toBeTruthy();
    expect(calls).toHaveLength(1);
  });

  test('open in place by keyboard, in the order of the search', async () => {
    const calls = serve(served);
    await open('', kbs);
    const toggle = await screen.findByRole('button', { name: '3 records' });
    expect(toggle.getAttribute('aria-expanded')).toBe('false');
    toggle.focus();
    await person.keyboard('{Enter}');
    await waitFor(() =>
      expect(calls.at(-1)).toMatchObject({ filter: 'id in (101,102)', sort: '-releaseDate' }),
    );
    expect(toggle.getAttribute('aria-expanded')).toBe('true');
    await waitFor(() => expect(document.querySelectorAll('tr[data-inner]')).toHaveLength(2));
    await person.click(toggle);
    await waitFor(() => expect(document.querySelectorAll('tr[data-inner]')).toHaveLength(0));
  });

  test('are marked together', async () => {
    serve(served);
    await open('', kbs);
    await screen.findByRole('button', { name: '3 records' });
    const [first] = document.querySelectorAll<HTMLElement>('tr[data-row]');
    await person.click(within(first as HTMLElement).getByRole('checkbox'));
    expect(screen.getByText('3 selected')).toBeTruthy();
    await person.click(within(first as HTMLElement).getByRole('checkbox'));
    expect(screen.queryByText(/ selected$/)).toBeNull();
  });

  test('have rows of their own when grouping is off, which is remembered', async () => {
    serve(served);
    await open('', kbs);
    const group = await screen.findByRole('button', { name: 'Group updates' });
    expect(group.getAttribute('aria-pressed')).toBe('true');
    await person.click(group);
    await waitFor(() => expect(screen.getByText('1–25 of 60')).toBeTruthy());
    expect(screen.queryByRole('button', { name: '3 records' })).toBeNull();
    expect(rowIds()).toHaveLength(25);
  });

  test('have rows of their own for a user who prefers them', async () => {
    updatePreference(kbs.key, { grouping: 'off' });
    serve(served);
    await open('', kbs);
    expect(await screen.findByText('1–25 of 60')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Group updates' }).getAttribute('aria-pressed')).toBe(
      'false',
    );
  });
});
