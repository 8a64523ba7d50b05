import { act, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { person } from '../testing/person.ts';
import { moveKey, SortableItems } from './sortable-items.tsx';

test('moves an item to the index of the item it is dropped on', () => {
  const keys = ['a', 'b', 'c', 'd'];
  expect(moveKey(keys, 'a', 'c')).toEqual(['b', 'c', 'a', 'd']);
  expect(moveKey(keys, 'd', 'a')).toEqual(['d', 'a', 'b', 'c']);
  expect(moveKey(keys, 'b', 'b')).toBe(keys);
});

test('labels each handle with its item', () => {
  render(
    <ul>
      <SortableItems
        keys={['a', 'b']}
        getLabel={(key) => `item ${key}`}
        render={(key) => <span>{key}!</span>}
        onSort={() => {}}
      />
    </ul>,
  );
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'a!',
    'b!',
  ]);
  expect(
    screen.getByRole('button', { name: 'Move item a' }).getAttribute('aria-roledescription'),
  ).toBe('sortable');
});

/** happy-dom has no layout: simulates items of 40 px each. */
function mockLayout(): void {
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(function (
    this: HTMLElement,
  ) {
    const item = this.closest('li');
    const index = item === null ? 0 : [...(item.parentElement?.children ?? [])].indexOf(item);
    return new DOMRect(0, index * 40, 200, item === null ? 400 : 40);
  });
  onTestFinished(() => void vi.restoreAllMocks());
}

const settled = () => act(() => new Promise((resolve) => setTimeout(resolve, 30)));

function Parent() {
  const [keys, setKeys] = useState<readonly string[]>(['a', 'b', 'c']);
  return (
    <ul>
      <SortableItems
        keys={keys}
        getLabel={(key) => key}
        render={(key) => <span>{key}</span>}
        onSort={setKeys}
      />
    </ul>
  );
}
const order = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent);

test('moves an item by dragging its handle', async () => {
  mockLayout();
  render(<Parent />);
  const handle = screen.getByRole('button', { name: 'Move a' });
  await person.pointer({
    keys: '[MouseLeft>]',
    target: handle,
    coords: { clientX: 10, clientY: 20 },
  });
  await settled();
  for (const clientY of [40, 70, 100]) {
    await person.pointer({ target: document.body, coords: { clientX: 10, clientY } });
    await settled();
  }
  await person.pointer('[/MouseLeft]');
  await settled();
  expect(order()).toEqual(['b', 'c', 'a']);
});

test('moves an item with Space and arrow keys, and cancels on Escape', async () => {
  mockLayout();
  render(<Parent />);
  const press = async (code: string) => {
    await person.keyboard(`[${code}]`);
    await settled();
  };
  screen.getByRole('button', { name: 'Move c' }).focus();
  for (const code of ['Space', 'ArrowUp', 'Space']) await press(code);
  expect(order()).toEqual(['a', 'c', 'b']);
  screen.getByRole('button', { name: 'Move a' }).focus();
  for (const code of ['Space', 'ArrowDown', 'Escape']) await press(code);
  expect(order()).toEqual(['a', 'c', 'b']);
});
