import { specified } from '@patch/catalogue/testing/specified.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { newQueryClient } from '../api/query-client.ts';
import { KnownWordsSelect } from './words-select.tsx';

const fetched = vi.fn<(address: string) => Promise<Response>>(
  async () => new Response('["openssl","openssl-libs"]'),
);
beforeEach(() => {
  fetched.mockClear();
  vi.stubGlobal('fetch', fetched);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

let chosen: readonly string[];
function Holder({ first }: { readonly first: readonly string[] }) {
  const [words, setWords] = useState(first);
  return (
    <QueryClientProvider client={newQueryClient()}>
      <KnownWordsSelect
        label="Packages"
        separators={[',']}
        value={words}
        onChange={(next) => {
          chosen = next;
          setWords(next);
        }}
      />
    </QueryClientProvider>
  );
}

const box = () => screen.getByRole('combobox', { name: 'Packages' });
const type = (text: string) => fireEvent.change(box(), { target: { value: text } });
const wait = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));

test('a dropdown is searched once the typing has paused for 750 ms; what is known is offered', async () => {
  vi.useFakeTimers();
  render(<Holder first={[]} />);
  type('op');
  await wait(specified.times.dropdownDebounce - 1);
  type('open');
  await wait(specified.times.dropdownDebounce - 1);
  expect(fetched).not.toHaveBeenCalled();
  await wait(1);
  expect(fetched.mock.calls.map(([address]) => address)).toEqual(['/api/searchTags?tag=open']);
  await wait(100);
  fireEvent.click(screen.getByTitle('openssl-libs'));
  expect(chosen).toEqual(['openssl-libs']);
});

test('other words are taken as they are typed', () => {
  render(<Holder first={[]} />);
  type('my-own,');
  expect(chosen).toEqual(['my-own']);
});

test('of a chosen one 150 px are shown', () => {
  render(<Holder first={['a-package-with-a-very-long-name']} />);
  expect(screen.getByTitle('a-package-with-a-very-long-name').style.maxWidth).toBe(
    `${specified.dropdownTagMaxWidth}px`,
  );
});
