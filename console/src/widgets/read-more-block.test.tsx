import { specified } from '@patch/catalogue/testing/specified.ts';
import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { person } from '../testing/person.ts';
import { variablesSheet } from '../theme/css-variables.ts';
import { ReadMoreBlock } from './read-more-block.tsx';

let height = 0;
let observed: (() => void) | undefined;

beforeEach(() => {
  observed = undefined;
  vi.useFakeTimers();
  vi.spyOn(HTMLElement.prototype, 'scrollHeight', 'get').mockImplementation(() => height);
  vi.stubGlobal(
    'ResizeObserver',
    class {
      readonly #onResize: () => void;
      constructor(onResize: () => void) {
        this.#onResize = onResize;
      }
      observe(): void {
        observed = this.#onResize;
      }
      disconnect(): void {
        observed = undefined;
      }
    },
  );
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const show = (tall: number) => {
  height = tall;
  render(<ReadMoreBlock>Words of a vendor</ReadMoreBlock>);
};
const wait = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));
const more = () => screen.queryByRole('button', { name: 'Read more' });
const block = () => screen.getByText('Words of a vendor').parentElement as HTMLElement;

test('truncates content above 160 px and toggles it with a link', async () => {
  expect(variablesSheet).toContain(`--read-more-height:${specified.readMoreHeight}px;`);
  show(specified.readMoreHeight + 1);
  await wait(500);
  expect(block().dataset['open']).toBeUndefined();
  expect(block().dataset['cut']).toBe('true');
  const link = more();
  expect([link?.getAttribute('aria-expanded'), link?.getAttribute('aria-controls')]).toEqual([
    'false',
    block().id,
  ]);
  await person.click(link as HTMLElement);
  expect(block().dataset['open']).toBe('true');
  expect(block().dataset['cut']).toBeUndefined();
  await person.click(screen.getByRole('button', { name: 'Read less' }));
  expect(block().dataset['open']).toBeUndefined();
});

test('shows no link for content that fits', async () => {
  show(specified.readMoreHeight);
  await wait(500);
  expect(screen.queryByRole('button')).toBeNull();
  expect(block().dataset['cut']).toBeUndefined();
});

test('measures the height after 450 ms and again on each resize', async () => {
  show(900);
  await wait(specified.times.readMoreMeasures - 1);
  expect(more()).toBeNull();
  expect(observed).toBeUndefined();
  await wait(1);
  expect(more()).not.toBeNull();
  height = 20;
  act(() => observed?.());
  expect(more()).toBeNull();
});
