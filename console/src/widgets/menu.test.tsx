import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { person, pressKey } from '../testing/person.ts';
import { Menu } from './menu.tsx';

const chosen = vi.fn<(key: string) => void>();

async function opened(checked?: string) {
  chosen.mockReset();
  const entries = ['Light', 'Dark', 'System'].map((label) => ({
    key: label,
    label,
    ...(checked !== undefined && { checked: label === checked }),
    onChoose: () => chosen(label),
  }));
  render(<Menu aria-label="Theme" entries={entries} heading="How it looks" />);
  const button = screen.getByRole('button', { name: 'Theme' });
  button.focus();
  await person.click(button);
  await screen.findByRole('menu');
  return button;
}
const key = (name: string) => pressKey(name, document.activeElement as HTMLElement);
const focused = () => document.activeElement?.textContent;

test('focuses the first or checked entry and moves with arrows, Home, End and letters', async () => {
  const button = await opened();
  expect(button.getAttribute('aria-expanded')).toBe('true');
  expect(focused()).toBe('Light');
  await key('ArrowDown');
  expect(focused()).toBe('Dark');
  await key('End');
  expect(focused()).toBe('System');
  await key('ArrowDown');
  expect(focused()).toBe('Light');
  await key('ArrowUp');
  expect(focused()).toBe('System');
  await key('d');
  expect(focused()).toBe('Dark');
  await key('Home');
  expect(focused()).toBe('Light');
  cleanup();
  await opened('Dark');
  expect(focused()).toBe('Dark');
  expect(
    screen.getAllByRole('menuitemradio').map((entry) => entry.getAttribute('aria-checked')),
  ).toEqual(['false', 'true', 'false']);
});

test('chooses an entry once and returns the focus to the button', async () => {
  const button = await opened();
  await person.click(screen.getByRole('menuitem', { name: 'Dark' }));
  expect(chosen.mock.calls).toEqual([['Dark']]);
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
  expect(document.activeElement).toBe(button);
});

test('closes without a choice on Escape, a click outside, Tab after the last entry and its button', async () => {
  const leaving = [
    () => key('Escape'),
    () => person.pointer({ keys: '[MouseLeft>]', target: document.body }),
    () => key('Tab'),
    (button: HTMLElement) => person.click(button),
  ];
  for (const leave of leaving) {
    const button = await opened();
    await leave(button);
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
    expect(chosen).not.toHaveBeenCalled();
    cleanup();
  }
});

test('stays open on a click inside', async () => {
  await opened();
  await person.pointer({ keys: '[MouseLeft>]', target: screen.getByText('How it looks') });
  expect(screen.getByRole('menu')).toBeTruthy();
});
