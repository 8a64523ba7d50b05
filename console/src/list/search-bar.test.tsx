import { licensedClientList } from '@patch/catalogue/clients/licensed-client-list.ts';
import { type CatalogueList, listOfKey } from '@patch/catalogue/lists.ts';
import { savedViewsEndpoint } from '@patch/contract/saved-view-endpoints.ts';
import { screen, waitFor, within } from '@testing-library/react';
import { ConfigProvider } from 'antd';
import { useState } from 'react';
import { describe, expect, test, vi } from 'vitest';
import { reply } from '../testing/fake-api.ts';
import { fillIn, person, pressKey } from '../testing/person.ts';
import { renderInApp } from '../testing/render-in-app.tsx';
import type { RequestedSearch } from './asked-search.ts';
import { CriterionChips } from './criterion-chips.tsx';
import { SearchBar } from './search-bar.tsx';

const alma = listOfKey('almalinux_patch');
const critical: RequestedSearch = {
  criteria: [{ paramName: 'severity', operator: 'in', value: ['Critical'] }],
  keyword: '',
};

const focusLost = vi.fn();

interface Opened {
  readonly list?: CatalogueList;
  readonly first?: RequestedSearch;
  /** Of the person's default view. */
  readonly byDefault?: { readonly criteria: string; readonly keyword: string };
}

/** The bar and its chips, as the list screen joins them; what the parent was told is kept. */
async function open({
  list = alma,
  first = { criteria: [], keyword: '' },
  byDefault,
}: Opened = {}) {
  const told: Partial<RequestedSearch>[] = [];
  focusLost.mockReset();
  function Screen() {
    const [asked, setAsked] = useState(first);
    const [editing, setEditing] = useState<string>();
    const onAsk = (change: Partial<RequestedSearch>) => {
      told.push(change);
      setAsked((before) => ({ ...before, ...change }));
    };
    return (
      // Without motion, whose end is told by nothing here.
      <ConfigProvider theme={{ token: { motion: false } }}>
        <SearchBar
          list={list}
          rows={[]}
          asked={asked}
          handle={null}
          onAsk={onAsk}
          onExport={() => {}}
          onHelp={() => {}}
          refused={[]}
        />
        <CriterionChips
          list={list}
          asked={asked}
          editing={editing}
          onEditing={setEditing}
          onFocusLost={focusLost}
          onEditKeyword={() => {}}
          onAsk={onAsk}
        />
      </ConfigProvider>
    );
  }
  const view = {
    id: 4,
    list: list.key,
    name: 'Mine',
    shared: false,
    ownerName: 'me',
    mayChange: true,
    isDefault: true,
    search: { criteria: '', keyword: '', ...byDefault, sort: null, columns: null },
    updatedAt: 1,
  };
  const views = byDefault === undefined ? [] : [view];
  await renderInApp(<Screen />, {
    session: {},
    replies: [reply(savedViewsEndpoint, { objList: views, totalCount: views.length })],
  });
  return told;
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

test('stops offering a field that has a criterion, until the criterion is removed', async () => {
  await open({ first: critical });
  await person.click(box());
  expect(fieldsOffered().some((words) => words?.startsWith('Severity'))).toBe(false);
  await person.click(screen.getByRole('button', { name: 'Remove Severity' }));
  await person.click(box());
  expect(fieldsOffered().some((words) => words?.startsWith('Severity'))).toBe(true);
});

test('a picker that is cancelled, by its button, by Escape or by a press elsewhere, tells nothing', async () => {
  const told = await open();
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
  expect(told).toEqual([]);
});

test('Done adds a criterion and tells; editing and removing it tell again', async () => {
  const told = await open();
  const picker = await pick(/^Title/);
  await press(picker, 'Done');
  expect(picker.getByRole('alert').textContent).toBe('Title is required');
  await fillIn(picker.getByRole('textbox', { name: 'Title' }), 'ssl');
  await press(picker, 'Done');
  expect(told).toEqual([
    { criteria: [{ paramName: 'title', operator: 'contains', value: 'ssl' }] },
  ]);
  await person.click(await screen.findByTitle('Title contains ssl'));
  const editor = within(await screen.findByRole('dialog', { name: 'Edit criterion: Title' }));
  await fillIn(editor.getByRole('textbox', { name: 'Title' }), 'tls');
  await press(editor, 'Done');
  expect(told.at(-1)).toEqual({
    criteria: [{ paramName: 'title', operator: 'contains', value: 'tls' }],
  });
  await person.click(screen.getByRole('button', { name: 'Remove Title' }));
  expect(told.at(-1)).toEqual({ criteria: [] });
  expect(told).toHaveLength(3);
});

describe('Reset', () => {
  test('goes back to the default view, also when all is cleared, and is not there while nothing differs', async () => {
    const told = await open({
      first: critical,
      byDefault: { criteria: 'severity.in.Critical', keyword: '' },
    });
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Reset' })).toBeNull());
    await person.click(screen.getByRole('button', { name: 'Remove Severity' }));
    expect(screen.queryByRole('button', { name: 'Clear all' })).toBeNull();
    await person.click(screen.getByRole('button', { name: 'Reset' }));
    expect(told.at(-1)).toEqual(critical);
    expect(await screen.findByTitle('Severity is one of Critical')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Reset' })).toBeNull();
  });

  test('goes back to nothing where no view is the default', async () => {
    const told = await open({ first: { ...critical, keyword: 'openssl' } });
    await person.click(screen.getByRole('button', { name: 'Reset' }));
    expect(told).toEqual([{ criteria: [], keyword: '' }]);
  });
});

test('Clear all asks; No keeps everything', async () => {
  const told = await open({ first: { ...critical, keyword: 'openssl' } });
  await person.click(screen.getByRole('button', { name: 'Clear all' }));
  expect(await screen.findByText('All 2 criteria are removed.')).toBeTruthy();
  await person.click(screen.getByRole('button', { name: 'No' }));
  await waitFor(() => expect(screen.queryByText('All 2 criteria are removed.')).toBeNull());
  expect(told).toEqual([]);
  await person.click(screen.getByRole('button', { name: 'Clear all' }));
  await person.click(await screen.findByRole('button', { name: 'Yes' }));
  await waitFor(() => expect(told).toEqual([{ criteria: [], keyword: '' }]));
});

describe('dates', () => {
  test('begin with the first relative time, which is always equal', async () => {
    const told = await open();
    const picker = await pick(/^Release date/);
    expect(picker.getByRole<HTMLInputElement>('radio', { name: 'Today' }).checked).toBe(true);
    expect(picker.queryByRole('radio', { name: 'Overdue' })).toBeNull();
    await press(picker, 'Done');
    expect(told).toEqual([
      { criteria: [{ paramName: 'releaseDate', operator: 'equal', value: 'today' }] },
    ]);
  });

  test('on which something falls due begin with what is overdue', async () => {
    const told = await open({ list: licensedClientList as unknown as CatalogueList });
    const picker = await pick(/^Licence expires/);
    expect(picker.getByRole<HTMLInputElement>('radio', { name: 'Overdue' }).checked).toBe(true);
    await press(picker, 'Done');
    expect(told).toEqual([
      { criteria: [{ paramName: 'licenseExpiry', operator: 'equal', value: 'overdue' }] },
    ]);
  });

  test('requires a custom date, and clears it when another operator is chosen', async () => {
    const told = await open();
    const picker = await pick(/^Release date/);
    await person.click(picker.getByRole('radio', { name: 'Custom' }));
    await press(picker, 'Done');
    expect(picker.getByRole('alert').textContent).toBe('Release date is required');
    const date = picker.getByRole<HTMLInputElement>('textbox', { name: 'Release date' });
    await fillIn(date, '12/03/2024 05:05 PM');
    await waitFor(() => expect(picker.queryByRole('alert')).toBeNull());
    await choose(picker, 'before');
    expect(picker.getByRole<HTMLInputElement>('textbox', { name: 'Release date' }).value).toBe('');
    expect(told).toEqual([]);
  });

  test('between: neither end can be chosen beyond the other', async () => {
    const between = {
      paramName: 'releaseDate',
      operator: 'between',
      value: Date.UTC(2024, 2, 10),
      toValue: Date.UTC(2024, 2, 20),
    } as const;
    await open({ first: { criteria: [between], keyword: '' } });
    await person.click(screen.getByTitle(/^Release date between/));
    const editor = within(
      await screen.findByRole('dialog', { name: 'Edit criterion: Release date' }),
    );
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

  test('between: a typed end before the start is refused in the words of the specification, and stays as it was typed', async () => {
    const between = {
      paramName: 'releaseDate',
      operator: 'between',
      value: Date.UTC(2024, 2, 10),
      toValue: Date.UTC(2024, 2, 20),
    } as const;
    const told = await open({ first: { criteria: [between], keyword: '' } });
    await person.click(screen.getByTitle(/^Release date between/));
    const editor = within(
      await screen.findByRole('dialog', { name: 'Edit criterion: Release date' }),
    );
    const to = editor.getByRole<HTMLInputElement>('textbox', { name: 'Release date to' });
    await fillIn(to, '09/03/2024 05:05 PM');
    await press(editor, 'Done');
    expect(editor.getByRole('alert').textContent).toMatch(
      /^09\/03\/2024 05:05 PM must be greater than \d\d\/03\/2024 \d\d:\d\d [AP]M$/,
    );
    expect(to.value).toBe('09/03/2024 05:05 PM');
    expect(told).toEqual([]);
    await fillIn(to, '12/03/2024 05:05 PM');
    await press(editor, 'Done');
    expect(told).toHaveLength(1);
  });
});

describe('words that are typed while a keyword is asked', () => {
  const kernel = { criteria: [], keyword: 'kernel' };

  test('replace it and say so; both can be asked with one press', async () => {
    const told = await open({ first: kernel });
    await fillIn(box(), 'openssl');
    expect(fieldsOffered().slice(0, 2)).toEqual([
      ' Search for openssl instead of kernel Enter',
      ' Search for kernel and openssl Shift+Enter',
    ]);
    await pressKey('Enter', box());
    expect(told.at(-1)).toMatchObject({ keyword: 'openssl' });
    expect(screen.getByTitle('Keyword contains openssl')).toBeTruthy();
    expect(screen.getByText(/replaced/).textContent).toBe('openssl replaced kernel.');
    await person.click(screen.getByRole('button', { name: 'Search for both' }));
    expect(told.at(-1)).toEqual({ keyword: 'kernel openssl' });
    expect(screen.getByTitle('Keyword contains all of kernel openssl')).toBeTruthy();
    expect(screen.queryByText(/replaced/)).toBeNull();
  });

  test('bring the former keyword back', async () => {
    const told = await open({ first: kernel });
    await fillIn(box(), 'openssl');
    await pressKey('Enter', box());
    await person.click(screen.getByRole('button', { name: 'Undo' }));
    expect(told.at(-1)).toEqual({ keyword: 'kernel' });
    expect(screen.queryByText(/replaced/)).toBeNull();
  });

  test('join it with Shift and Enter, or as the suggestion says', async () => {
    const told = await open({ first: kernel });
    await fillIn(box(), '"security update"');
    await person.keyboard('{Shift>}{Enter}{/Shift}');
    expect(told.at(-1)).toMatchObject({ keyword: 'kernel "security update"' });
    await fillIn(box(), 'real');
    await person.click(
      screen.getByRole('option', { name: /^Search for kernel "security update" and real/ }),
    );
    expect(told.at(-1)).toMatchObject({ keyword: 'kernel "security update" real' });
  });

  test('a field leaves the keyword, and nothing is said', async () => {
    const told = await open({ first: kernel });
    await fillIn(box(), 'title:ssl');
    await pressKey('Enter', box());
    expect(told.at(-1)).toMatchObject({ keyword: 'kernel' });
    expect(screen.queryByText(/replaced/)).toBeNull();
  });
});

test('a chip that is removed with a key hands the focus on; with the pointer it stays where it is', async () => {
  await open({ first: { ...critical, keyword: 'kernel' } });
  await person.click(screen.getByRole('button', { name: 'Remove Keyword' }));
  expect(focusLost).not.toHaveBeenCalled();
  // A button that is pressed with a key is clicked without a pointer.
  await pressKey('Enter', screen.getByRole('button', { name: 'Remove Severity' }));
  expect(focusLost).toHaveBeenCalledTimes(1);
});
