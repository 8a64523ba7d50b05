import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { TooltipHost } from './tooltip-host.tsx';

beforeEach(() => {
  vi.useFakeTimers();
  render(
    <>
      <button type="button" data-tip="Sends it">
        <span>Send</span>
      </button>
      <span data-tip-when-cut="libxml2-devel">libxml2-devel</span>
      <TooltipHost />
    </>,
  );
});
afterEach(() => vi.useRealTimers());

function rest(): void {
  act(() => void vi.advanceTimersByTime(1000));
}
const tip = () => screen.queryByRole('tooltip')?.textContent;
const over = (words: string, pointerType = 'mouse') =>
  fireEvent.pointerOver(screen.getByText(words), { pointerType });

test('is there after the pointer has rested, and goes with the next press, key or scroll', () => {
  for (const ends of [
    fireEvent.pointerDown,
    fireEvent.scroll,
    (target: Element) => fireEvent.keyDown(target, { key: 'a' }),
  ]) {
    over('Send');
    expect(tip()).toBeUndefined();
    rest();
    expect(tip()).toBe('Sends it');
    ends(screen.getByText('Send'));
    expect(tip()).toBeUndefined();
  }
});

test('a finger gets none', () => {
  over('Send', 'touch');
  rest();
  expect(tip()).toBeUndefined();
});

test('text gets one only when it does not fit', () => {
  const text = screen.getByText('libxml2-devel');
  over('libxml2-devel');
  rest();
  expect(tip()).toBeUndefined();
  Object.defineProperties(text, { scrollWidth: { value: 200 }, clientWidth: { value: 90 } });
  over('libxml2-devel');
  rest();
  expect(tip()).toBe('libxml2-devel');
});

test('of what has gone meanwhile nothing is shown', () => {
  over('Send');
  const button = screen.getByRole('button');
  const place = button.parentElement;
  button.remove();
  rest();
  place?.append(button);
  expect(tip()).toBeUndefined();
});
