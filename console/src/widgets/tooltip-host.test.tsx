import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { person } from '../testing/person.ts';
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
async function over(words: string): Promise<void> {
  await person.hover(document.body);
  await person.hover(screen.getByText(words));
}

test('appears when the pointer rests and disappears on the next press, key or scroll', async () => {
  for (const ends of [
    (target: HTMLElement) => person.pointer({ keys: '[MouseLeft>]', target }),
    // user-event does not scroll.
    (target: HTMLElement) => fireEvent.scroll(target),
    () => person.keyboard('a'),
  ]) {
    await over('Send');
    expect(tip()).toBeUndefined();
    rest();
    expect(tip()).toBe('Sends it');
    await ends(screen.getByText('Send'));
    expect(tip()).toBeUndefined();
  }
});

test('shows no tooltip for a touch', async () => {
  await person.pointer({ keys: '[TouchA>]', target: screen.getByText('Send') });
  rest();
  expect(tip()).toBeUndefined();
});

test('shows a tooltip for text only when it does not fit', async () => {
  const text = screen.getByText('libxml2-devel');
  await over('libxml2-devel');
  rest();
  expect(tip()).toBeUndefined();
  Object.defineProperties(text, { scrollWidth: { value: 200 }, clientWidth: { value: 90 } });
  await over('libxml2-devel');
  rest();
  expect(tip()).toBe('libxml2-devel');
});

test('shows a tooltip for text whose last lines are cut off', async () => {
  const text = screen.getByText('libxml2-devel');
  Object.defineProperties(text, { scrollHeight: { value: 54 }, clientHeight: { value: 36 } });
  await over('libxml2-devel');
  rest();
  expect(tip()).toBe('libxml2-devel');
});

test('shows nothing for an element that was removed in the meantime', async () => {
  await over('Send');
  const button = screen.getByRole('button');
  const parent = button.parentElement;
  button.remove();
  rest();
  parent?.append(button);
  expect(tip()).toBeUndefined();
});
