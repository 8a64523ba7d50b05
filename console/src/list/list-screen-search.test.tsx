import { specified } from '@patch/catalogue/testing/specified.ts';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { pasteInto, person, pressKey } from '../testing/person.ts';
import {
  ask,
  beginWithoutPreferences,
  chips,
  open,
  searchBox,
  serve,
} from './testing/served-list.tsx';

beforeEach(beginWithoutPreferences);

describe('the search bar', () => {
  test('converts typed words to chips, removes the last on Backspace, and confirms Clear all', async () => {
    const calls = serve({ total: 12 });
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
      expect(calls.at(-1)).toMatchObject({
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

  test('adds, edits and removes a criterion with the picker', async () => {
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

  test('refuses a long keyword with the specified text', async () => {
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

  test('keeps the quotes of a phrase in address and call', async () => {
    const calls = serve({});
    const { search } = await open();
    await screen.findByText('Erratum 1');
    await ask('"open ssl"');
    await waitFor(() => expect(search()).toEqual({ keyword: '"open ssl"' }));
    await waitFor(() => expect(calls.at(-1)?.keyword).toBe('"open ssl"'));
    expect(chips().getByTitle('Keyword contains "open ssl"')).toBeTruthy();
  });

  test('opens the record of an exact identifier', async () => {
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
