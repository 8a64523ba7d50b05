/** Compares searches in the vocabulary with string functions, for few and for many words. */
import { expect, test } from 'vitest';
import { pick, seededRandom } from '../../testing/odd-catalogue.ts';
import type { WordAnchor } from '../criteria/text-pattern.ts';
import { TokenVocabulary } from './token-vocabulary.ts';

const anchors: readonly WordAnchor[] = ['inside', 'start', 'end', 'exact'];

const matches: Readonly<Record<WordAnchor, (word: string, text: string) => boolean>> = {
  inside: (word, text) => word.includes(text),
  start: (word, text) => word.startsWith(text),
  end: (word, text) => word.endsWith(text),
  exact: (word, text) => word === text,
};

function createVocabulary(words: readonly string[]): TokenVocabulary {
  const vocabulary = new TokenVocabulary();
  for (const word of words) {
    const bytes = Buffer.from(word);
    vocabulary.getOrAddCode(bytes, 0, bytes.length);
  }
  return vocabulary;
}

function expectAll(words: readonly string[], vocabulary: TokenVocabulary, text: string) {
  const isInside = words.some((word) => word.includes(text));
  expect(vocabulary.has(text), `has ${JSON.stringify(text)}`).toBe(isInside);
  for (const anchor of anchors) {
    const found = vocabulary.find(text, anchor).map((code) => words[code]);
    const expected = words.filter((word) => matches[anchor](word, text));
    expect(found, `${anchor} ${JSON.stringify(text)}`).toEqual(expected);
  }
}

test.each([0, 1, 511, 512, 513, 6_000])('finds texts at every anchor among %i words', (count) => {
  const random = seededRandom(count);
  const made = new Set<string>();
  while (made.size < count) {
    const letters = pick(random, ['0123456789', 'abc', 'é漢🧩-']);
    const length = random() < 0.01 ? 700 : 1 + Math.floor(random() * 14);
    const word = Array.from({ length }, () => pick(random, Array.from(letters))).join('');
    made.add(random() < 0.3 ? `alsa-2024:${word}` : word);
  }
  const words = [...made];
  const vocabulary = createVocabulary(words);
  expect(vocabulary.count).toBe(count);
  for (const text of ['', 'alsa-', 'alsa-2024:', 'nowhere', 'x'])
    expectAll(words, vocabulary, text);
  for (let n = 0; n < Math.min(count, 200); n += 1) {
    const letters = Array.from(pick(random, words));
    const from = Math.floor(random() * letters.length);
    const end = from + 1 + Math.floor(random() * 9);
    expectAll(words, vocabulary, letters.slice(from, end).join(''));
    expectAll(words, vocabulary, letters.join(''));
  }
});

test('finds a word that was added later', () => {
  const words = Array.from({ length: 2_000 }, (_, n) => `word-${n}`);
  const vocabulary = createVocabulary(words);
  const late = Buffer.from('later-than-all');
  expect(vocabulary.find('later', 'inside')).toEqual([]);
  expect(vocabulary.getOrAddCode(late, 0, late.length)).toBe(2_000);
  expect(vocabulary.find('later', 'inside')).toEqual([2_000]);
});
