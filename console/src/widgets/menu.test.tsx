import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
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
  fireEvent.click(button);
  await screen.findByRole('menu');
  return button;
}
const key = (name: string) =>
  fireEvent.keyDown(document.activeElement as HTMLElement, { key: name });
const focused = () => document.activeElement?.textContent;

test('opens on its first entry, or on the one that holds; arrows, ends and letters move', async () => {
  const button = await opened();
  expect(button.getAttribute('aria-expanded')).toBe('true');
  expect(focused()).toBe('Light');
  key('ArrowDown');
  expect(focused()).toBe('Dark');
  key('End');
  expect(focused()).toBe('System');
  key('ArrowDown');
  expect(focused()).toBe('Light');
  key('ArrowUp');
  expect(focused()).toBe('System');
  key('d');
  expect(focused()).toBe('Dark');
  key('Home');
  expect(focused()).toBe('Light');
  cleanup();
  await opened('Dark');
  expect(focused()).toBe('Dark');
  expect(
    screen.getAllByRole('menuitemradio').map((entry) => entry.getAttribute('aria-checked')),
  ).toEqual(['false', 'true', 'false']);
});

test('an entry is chosen once, and the focus goes back to the button', async () => {
  const button = await opened();
  fireEvent.click(screen.getByRole('menuitem', { name: 'Dark' }));
  expect(chosen.mock.calls).toEqual([['Dark']]);
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
  expect(document.activeElement).toBe(button);
});

test('Escape, a press elsewhere, Tab from its end and its own button close it without a choice', async () => {
  const leaving = [
    () => key('Escape'),
    () => fireEvent.pointerDown(document.body),
    () => key('Tab'),
    (button: HTMLElement) => fireEvent.click(button),
  ];
  for (const leave of leaving) {
    const button = await opened();
    leave(button);
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
    expect(chosen).not.toHaveBeenCalled();
    cleanup();
  }
});

test('a press inside keeps it open', async () => {
  await opened();
  fireEvent.pointerDown(screen.getByText('How it looks'));
  expect(screen.getByRole('menu')).toBeTruthy();
});
