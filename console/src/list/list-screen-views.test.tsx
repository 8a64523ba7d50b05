import { cleanup, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { person } from '../testing/person.ts';
import { buildView } from '../testing/service-values.ts';
import {
  alma,
  ask,
  beginWithoutPreferences,
  chips,
  kbs,
  open,
  serve,
} from './testing/served-list.tsx';

beforeEach(beginWithoutPreferences);

describe('saved views', () => {
  const view = buildView({
    shared: true,
    search: {
      criteria: 'severity.in.Critical',
      keyword: '',
      sort: 'title',
      columns: ['title', 'severity'],
    },
  });
  const columns = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent);

  test('are opened, changed and left without changing the preferred columns', async () => {
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

  test('open by default for a bare address, with a single call for rows', async () => {
    const calls = serve({ total: 60, views: [{ ...view, isDefault: true }] });
    const { search } = await open();
    await screen.findByText('Erratum 1');
    expect(search()).toMatchObject({ criteria: 'severity.in.Critical', view: 4 });
    expect(calls).toHaveLength(1);
    expect(calls[0]).toMatchObject({ sort: 'title', filter: "lower(severity) in ('critical')" });
    cleanup();
    const { search: second } = await open('?keyword=kernel');
    await screen.findByText('Erratum 1');
    expect(second()).toEqual({ keyword: 'kernel' });
  });

  test('open by link before any rows are requested', async () => {
    const calls = serve({ total: 60, views: [{ ...view, isDefault: false }] });
    const { search } = await open('?view=4');
    await screen.findByText('Erratum 1');
    expect(search()).toMatchObject({ criteria: 'severity.in.Critical', view: 4 });
    expect(calls.map(({ filter }) => filter)).toEqual(["lower(severity) in ('critical')"]);
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

  test('are labelled and muted', async () => {
    serve({ total: 3, more: kb });
    await open('', kbs);
    const first = (await screen.findByText('KB5090001')).closest('tr');
    expect(first?.textContent).toContain('Superseded');
    expect(
      [...document.querySelectorAll('tr[data-row]')].map((row) => row.hasAttribute('data-muted')),
    ).toEqual([true, false, false]);
    expect(screen.getAllByText('Superseded')).toHaveLength(1);
  });

  test('are hidden and shown with one click, by a criterion in the address', async () => {
    const calls = serve({ total: 60, more: kb });
    const { search } = await open('?criteria=severity.in.Critical&page=2', kbs);
    expect(await pressed()).toBe('false');
    await person.click(await toggle());
    await waitFor(() =>
      expect(search()).toEqual({ criteria: 'severity.in.Critical**superseded.not_equal.true' }),
    );
    await waitFor(() =>
      expect(calls.at(-1)).toMatchObject({
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

  test('are hidden when a criterion selects them', async () => {
    serve({ more: kb });
    const { search } = await open('?criteria=superseded.equal.true', kbs);
    expect(await pressed()).toBe('false');
    await person.click(await toggle());
    await waitFor(() => expect(search()).toEqual({ criteria: 'superseded.not_equal.true' }));
  });

  test('stay hidden in a saved view with either equivalent criterion', async () => {
    const view = (id: number, criteria: string) =>
      buildView({
        id,
        list: kbs.key,
        name: `Current ${id}`,
        ownerName: 'admin',
        isDefault: id === 1,
        search: { criteria, keyword: '', sort: null, columns: null },
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

  test('have no button in other lists', async () => {
    serve({});
    await open();
    await screen.findByText('Erratum 1');
    expect(screen.queryByRole('button', { name: /^Hide/ })).toBeNull();
  });
});
