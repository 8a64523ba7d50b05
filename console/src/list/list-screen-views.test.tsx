import { cleanup, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { person } from '../testing/person.ts';
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
