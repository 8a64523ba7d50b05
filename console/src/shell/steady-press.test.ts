import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { keepPresses } from './steady-press.ts';

const clicked = vi.fn();

/** A button within a row that opens when it is clicked. */
function buildPage() {
  document.body.innerHTML = '<div><p>Text</p><button type="button"><i>End</i></button></div>';
  const find = (selector: string) => document.querySelector<HTMLElement>(selector) as HTMLElement;
  const [row, text, button, icon] = [find('div'), find('p'), find('button'), find('i')];
  row.addEventListener('click', ({ target }) => clicked((target as Element).tagName));
  return { row, text, button, icon };
}

beforeEach(() => {
  clicked.mockReset();
  const stop = keepPresses();
  onTestFinished(stop);
});

const at = (clientX: number) => ({ clientX, clientY: 10, bubbles: true, cancelable: true });
const press = (on: Element, x = 10) =>
  on.dispatchEvent(new PointerEvent('pointerdown', { ...at(x), isPrimary: true, button: 0 }));
const click = (on: Element, x = 10, more: MouseEventInit = {}) =>
  on.dispatchEvent(new MouseEvent('click', { ...at(x), detail: 1, ...more }));

test('clicks the pressed button when the page moved before the press ended', () => {
  const { row, icon } = buildPage();
  press(icon);
  click(row);
  expect(clicked.mock.calls).toEqual([['BUTTON']]);
});

test('passes on the keys that are held', () => {
  const { row, button } = buildPage();
  const held = vi.fn();
  button.addEventListener('click', ({ ctrlKey, shiftKey }) => held(ctrlKey, shiftKey));
  press(button);
  click(row, 10, { ctrlKey: true });
  expect(held.mock.calls).toEqual([[true, false]]);
});

test('leaves a click within the button alone', () => {
  const { button, icon } = buildPage();
  press(icon);
  click(button);
  expect(clicked.mock.calls).toEqual([['BUTTON']]);
});

test('leaves a click elsewhere alone when the pointer moved', () => {
  const { row, button } = buildPage();
  press(button);
  click(row, 40);
  expect(clicked.mock.calls).toEqual([['DIV']]);
});

test('leaves a press that began on a text alone', () => {
  const { row, text } = buildPage();
  press(text);
  click(row);
  expect(clicked.mock.calls).toEqual([['DIV']]);
});

test('forgets a press that became a scroll, and one whose button was removed', () => {
  const { row, text, button } = buildPage();
  press(button);
  window.dispatchEvent(new PointerEvent('pointercancel'));
  click(row);
  press(button);
  button.remove();
  click(text);
  expect(clicked.mock.calls).toEqual([['DIV'], ['P']]);
});

test('counts a press once', () => {
  const { row, button } = buildPage();
  press(button);
  click(row);
  click(row);
  expect(clicked.mock.calls).toEqual([['BUTTON'], ['DIV']]);
});

test('keeps a press while a program or the keyboard clicks', () => {
  const { row, text, button } = buildPage();
  press(button);
  click(text, 10, { detail: 0 });
  click(row);
  expect(clicked.mock.calls).toEqual([['P'], ['BUTTON']]);
});
