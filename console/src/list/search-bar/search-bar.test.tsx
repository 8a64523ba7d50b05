import { getList } from '@patch/catalogue/lists.ts';
import { queryReadingEndpoint } from '@patch/contract/records/query-reading-endpoint.ts';
import { savedViewsEndpoint } from '@patch/contract/records/saved-view-endpoints.ts';
import { screen, waitFor, within } from '@testing-library/react';
import { ConfigProvider } from 'antd';
import { useState } from 'react';
import { describe, expect, test, vi } from 'vitest';
import { reply } from '../../testing/fake-api.ts';
import { fillIn, person, pressKey } from '../../testing/person.ts';
import { renderInApp } from '../../testing/render-in-app.tsx';
import { buildView } from '../../testing/service-values.ts';
import { CriterionChips } from '../criteria/criterion-chips.tsx';
import type { RequestedSearch } from '../criteria/typed-search.ts';
import { SearchBar } from './search-bar.tsx';

const alma = getList('almalinux_patch');
const critical: RequestedSearch = {
  criteria: [{ paramName: 'severity', operator: 'in', value: ['Critical'] }],
  keyword: '',
};

const focusLost = vi.fn();

interface Opened {
  readonly first?: RequestedSearch;
  /** Search of the user's default view. */
  readonly byDefault?: { readonly criteria: string; readonly keyword: string };
}

/** Renders the bar with its chips like the list screen. Returns the reported changes. */
async function open({ first = { criteria: [], keyword: '' }, byDefault }: Opened = {}) {
  const changes: Partial<RequestedSearch>[] = [];
  focusLost.mockReset();
  function Screen() {
    const [search, setSearch] = useState(first);
    const [editing, setEditing] = useState<string>();
    const onAsk = (change: Partial<RequestedSearch>) => {
      changes.push(change);
      setSearch((before) => ({ ...before, ...change }));
    };
    return (
      // Without motion, because happy-dom fires no transition events.
      <ConfigProvider theme={{ token: { motion: false } }}>
        <SearchBar
          list={alma}
          rows={[]}
          currentSearch={search}
          handle={null}
          onAsk={onAsk}
          onExport={() => {}}
          onHelp={() => {}}
          refused={[]}
        />
        <CriterionChips
          list={alma}
          currentSearch={search}
          editing={editing}
          onEditing={setEditing}
          onFocusLost={focusLost}
          onEditKeyword={() => {}}
          onAsk={onAsk}
          usualSort="-releaseDate"
        />
      </ConfigProvider>
    );
  }
  const view = buildView({
    isDefault: true,
    search: { criteria: '', keyword: '', ...byDefault, sort: null, columns: null },
  });
  const views = byDefault === undefined ? [] : [view];
  await renderInApp(<Screen />, {
    session: {},
    replies: [
      reply(savedViewsEndpoint, { objList: views, totalCount: views.length }),
      // Words mean only themselves here.
      reply(queryReadingEndpoint(alma), ({ body }) => {
        const { q } = body as { readonly q: string };
        return { parts: [], criteria: [], keyword: q, totalCount: null };
      }),
    ],
  });
  return changes;
}

const box = () => screen.getByRole('combobox', { name: /^Search / });
const fieldsOffered = () => screen.getAllByRole('option').map(({ textContent }) => textContent);

async function pick(field: RegExp) {
  await person.click(box());
  await person.click(screen.getByRole('option', { name: field }));
  return within(await screen.findByRole('dialog', { name: /^Add criterion/ }));
}
const press = (picker: ReturnType<typeof within>, name: string) =>
  person.click(picker.getByRole('button', { name }));
const choose = async (picker: ReturnType<typeof within>, operator: string) => {
  await person.click(picker.getByRole('combobox', { name: /comparison$/ }));
  await person.click(await screen.findByTitle(operator));
};

test('reports nothing when the picker is cancelled by button, Escape or a click outside', async () => {
  const changes = await open();
  const closed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const first = await pick(/^Title/);
  await fillIn(first.getByRole('textbox', { name: 'Title' }), 'ssl');
  await press(first, 'Cancel');
  await closed();
  await pick(/^Title/);
  await pressKey('Escape', screen.getByRole('dialog'));
  await closed();
  await pick(/^Title/);
  await person.pointer({ keys: '[MouseLeft>]', target: document.body });
  await closed();
  expect(changes).toEqual([]);
});

describe('Reset', () => {
  test('restores the default view, and is absent while nothing differs', async () => {
    const changes = await open({
      first: critical,
      byDefault: { criteria: 'severity.in.Critical', keyword: '' },
    });
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Reset' })).toBeNull());
    await person.click(screen.getByRole('button', { name: 'Remove Severity' }));
    expect(screen.queryByRole('button', { name: 'Clear all' })).toBeNull();
    await person.click(screen.getByRole('button', { name: 'Reset' }));
    expect(changes.at(-1)).toEqual(critical);
    expect(await screen.findByTitle('Severity is one of Critical')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Reset' })).toBeNull();
  });

  test('clears the search without a default view', async () => {
    const changes = await open({ first: { ...critical, keyword: 'openssl' } });
    await person.click(screen.getByRole('button', { name: 'Reset' }));
    expect(changes).toEqual([{ criteria: [], keyword: '' }]);
  });
});

describe('the picker of a date', () => {
  /** Edits a criterion from 10 to 20 March 2024. */
  async function editRange() {
    const between = {
      paramName: 'releaseDate',
      operator: 'between',
      value: Date.UTC(2024, 2, 10),
      toValue: Date.UTC(2024, 2, 20),
    } as const;
    const changes = await open({ first: { criteria: [between], keyword: '' } });
    await person.click(screen.getByTitle(/^Release date between/));
    const editor = within(
      await screen.findByRole('dialog', { name: 'Edit criterion: Release date' }),
    );
    return { changes, editor };
  }

  test('begins with the first relative time and the operator `equal`', async () => {
    const changes = await open();
    const picker = await pick(/^Release date/);
    expect(picker.getByRole<HTMLInputElement>('radio', { name: 'Today' }).checked).toBe(true);
    expect(picker.queryByRole('radio', { name: 'Overdue' })).toBeNull();
    await press(picker, 'Done');
    expect(changes).toEqual([
      { criteria: [{ paramName: 'releaseDate', operator: 'equal', value: 'today' }] },
    ]);
  });

  test('requires a custom date, and clears it when another operator is chosen', async () => {
    const changes = await open();
    const picker = await pick(/^Release date/);
    await person.click(picker.getByRole('radio', { name: 'Custom' }));
    await press(picker, 'Done');
    expect(picker.getByRole('alert').textContent).toBe('Release date is required');
    const date = picker.getByRole<HTMLInputElement>('textbox', { name: 'Release date' });
    await fillIn(date, '12/03/2024');
    await waitFor(() => expect(picker.queryByRole('alert')).toBeNull());
    await choose(picker, 'before');
    expect(picker.getByRole<HTMLInputElement>('textbox', { name: 'Release date' }).value).toBe('');
    expect(changes).toEqual([]);
  });

  test('disables days beyond the other end of a range', async () => {
    const { editor } = await editRange();
    const disabled = async (name: string, day: string) => {
      const end = editor.getByRole('textbox', { name });
      await person.click(end);
      const calendars = [...document.querySelectorAll('.ant-picker-dropdown')];
      return calendars.at(-1)?.querySelector(`td[title="${day}"]`)?.className.includes('disabled');
    };
    expect(await disabled('Release date from', '2024-03-21')).toBe(true);
    expect(await disabled('Release date from', '2024-03-19')).toBe(false);
    expect(await disabled('Release date to', '2024-03-09')).toBe(true);
    expect(await disabled('Release date to', '2024-03-11')).toBe(false);
  });

  test('refuses a typed end before the start with the specified text and keeps it', async () => {
    const { changes, editor } = await editRange();
    const to = editor.getByRole<HTMLInputElement>('textbox', { name: 'Release date to' });
    await fillIn(to, '09/03/2024');
    await press(editor, 'Done');
    expect(editor.getByRole('alert').textContent).toBe(
      '09/03/2024 must be greater than 10/03/2024',
    );
    expect(to.value).toBe('09/03/2024');
    expect(changes).toEqual([]);
    await fillIn(to, '12/03/2024');
    await press(editor, 'Done');
    expect(changes).toHaveLength(1);
  });
});

describe('words typed while a keyword is set', () => {
  const kernel = { criteria: [], keyword: 'kernel' };

  test('replace it with a note that offers to search for both', async () => {
    const changes = await open({ first: kernel });
    await fillIn(box(), 'openssl');
    expect(fieldsOffered().slice(0, 2)).toEqual([
      ' Search for openssl instead of kernel Enter',
      ' Search for kernel and openssl Shift+Enter',
    ]);
    await pressKey('Enter', box());
    await waitFor(() => expect(changes.at(-1)).toMatchObject({ keyword: 'openssl' }));
    expect(screen.getByTitle('Keyword contains openssl')).toBeTruthy();
    expect(screen.getByText(/replaced/).textContent).toBe('openssl replaced kernel.');
    await person.click(screen.getByRole('button', { name: 'Search for both' }));
    expect(changes.at(-1)).toEqual({ keyword: 'kernel openssl' });
    expect(screen.getByTitle('Keyword contains all of kernel openssl')).toBeTruthy();
    expect(screen.queryByText(/replaced/)).toBeNull();
  });

  test('restore the former keyword with Undo', async () => {
    const changes = await open({ first: kernel });
    await fillIn(box(), 'openssl');
    await pressKey('Enter', box());
    await person.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(changes.at(-1)).toEqual({ keyword: 'kernel' });
    expect(screen.queryByText(/replaced/)).toBeNull();
  });
});

test('moves the focus when a chip is removed by keyboard, not by pointer', async () => {
  await open({ first: { ...critical, keyword: 'kernel' } });
  await person.click(screen.getByRole('button', { name: 'Remove Keyword' }));
  expect(focusLost).not.toHaveBeenCalled();
  // A key press on a button fires a click with `detail` 0.
  await pressKey('Enter', screen.getByRole('button', { name: 'Remove Severity' }));
  expect(focusLost).toHaveBeenCalledTimes(1);
});
