import { specified } from '@patch/catalogue/testing/specified.ts';
import { searchTagsEndpoint } from '@patch/contract/records/search-tags-endpoint.ts';
import { act, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { addReplies, reply, sentCalls } from '../testing/fake-api.ts';
import { fillIn, person } from '../testing/person.ts';
import { renderInApp } from '../testing/render-in-app.tsx';
import { KnownWordsSelect } from './words-select.tsx';

beforeEach(() => addReplies(reply(searchTagsEndpoint, ['openssl', 'openssl-libs'])));
afterEach(() => void vi.useRealTimers());

let chosen: readonly string[];
function Parent({ first }: { readonly first: readonly string[] }) {
  const [words, setWords] = useState(first);
  return (
    <KnownWordsSelect
      label="Packages"
      separators={[',']}
      value={words}
      onChange={(next) => {
        chosen = next;
        setWords(next);
      }}
    />
  );
}

const box = () => screen.getByRole('combobox', { name: 'Packages' });
const type = (text: string) => fillIn(box(), text);
const wait = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));

test('searches 750 ms after the last keystroke and offers the known words', async () => {
  vi.useFakeTimers();
  await renderInApp(<Parent first={[]} />);
  await type('op');
  await wait(specified.times.dropdownDebounce - 1);
  await type('open');
  await wait(specified.times.dropdownDebounce - 1);
  expect(sentCalls()).toEqual([]);
  await wait(1);
  expect(sentCalls()).toMatchObject([{ path: '/searchTags', query: { tag: 'open' } }]);
  await wait(100);
  await person.click(screen.getByTitle('openssl-libs'));
  expect(chosen).toEqual(['openssl-libs']);
});

test('accepts unknown words as they are typed', async () => {
  await renderInApp(<Parent first={[]} />);
  await type('my-own,');
  expect(chosen).toEqual(['my-own']);
});

test('limits a chosen word to 150 px', async () => {
  await renderInApp(<Parent first={['a-package-with-a-very-long-name']} />);
  expect(screen.getByTitle('a-package-with-a-very-long-name').style.maxWidth).toBe(
    `${specified.dropdownTagMaxWidth}px`,
  );
});
