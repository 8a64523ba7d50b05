import { render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { beforeEach, describe, expect, test } from 'vitest';
import { person } from '../testing/person.ts';
import { ConfirmHost } from './confirm-modal.tsx';
import { ModuleSelector, type ModuleSelectorProps } from './module-selector.tsx';

type Key = 'kb' | 'debian';
const modules = [
  { key: 'kb', label: 'KB base' },
  { key: 'debian', label: 'Debian' },
] as const;
let changes: (Key | null)[];
beforeEach(() => {
  changes = [];
});

function mount(props: Partial<ModuleSelectorProps<Key>>, first: Key | null = 'kb') {
  function Parent() {
    const [value, setValue] = useState(first);
    return (
      <>
        <ModuleSelector<Key>
          label="Module"
          modules={modules}
          {...props}
          value={value}
          onChange={(next) => {
            changes.push(next);
            setValue(next);
          }}
        />
        <ConfirmHost />
      </>
    );
  }
  render(<Parent />);
}

const dropdown = () => screen.getByRole<HTMLSelectElement>('combobox', { name: 'Module' });
const shown = () => dropdown().selectedOptions[0]?.textContent;
const choose = (label: string) => person.selectOptions(dropdown(), label);
const radio = (name: string) => screen.getByRole<HTMLInputElement>('radio', { name });

test('shows a dropdown or radio buttons', async () => {
  mount({ look: 'dropdown' });
  expect(Array.from(dropdown().options, ({ textContent }) => textContent)).toEqual([
    'KB base',
    'Debian',
  ]);
  await choose('Debian');
  expect([changes, shown()]).toEqual([['debian'], 'Debian']);

  mount({ look: 'radio' });
  expect(screen.getByRole('group', { name: 'Module' })).toBeTruthy();
  expect(radio('KB base').checked).toBe(true);
  await person.click(radio('Debian'));
  expect(changes).toEqual(['debian', 'debian']);
  expect(radio('Debian').checked).toBe(true);
});

test('offers an option for all modules when `all` is set', async () => {
  mount({ all: 'All' }, null);
  expect(shown()).toBe('All');
  await choose('Debian');
  await choose('All');
  expect(changes).toEqual(['debian', null]);

  mount({ all: 'All', look: 'radio' }, 'debian');
  await person.click(radio('All'));
  expect(changes).toEqual(['debian', null, null]);
});

describe.each(['dropdown', 'radio'] as const)('a %s that resets a form', (look) => {
  const pick = async () =>
    look === 'radio' ? await person.click(radio('Debian')) : await choose('Debian');
  const now = () =>
    look === 'radio'
      ? screen.getAllByRole<HTMLInputElement>('radio').find(({ checked }) => checked)?.value
      : dropdown().value;

  async function answer(name: 'Yes' | 'No') {
    expect(await screen.findByText('Are you sure?')).toBeTruthy();
    expect(screen.getByText(/the form is reset/)).toBeTruthy();
    await person.click(screen.getByRole('button', { name }));
  }

  test('asks for confirmation and changes on Yes', async () => {
    mount({ look, resetsForm: true });
    await pick();
    expect([now(), changes]).toEqual(['debian', []]);
    await answer('Yes');
    await waitFor(() => expect(changes).toEqual(['debian']));
    expect(now()).toBe('debian');
  });

  test('restores the previous value on No', async () => {
    mount({ look, resetsForm: true });
    await pick();
    await answer('No');
    await waitFor(() => expect(now()).toBe('kb'));
    expect(changes).toEqual([]);
  });
});
