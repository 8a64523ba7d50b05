import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  exactKeyword,
  type KeywordTerm,
  keywordLength,
  keywordName,
  keywordTerms,
  maxKeywordLength,
  writeTerm,
} from './keyword-terms.ts';

const word = (text: string) => ({ text, phrase: false });
const phrase = (text: string) => ({ text, phrase: true });

describe('keywordTerms', () => {
  test.each([
    ['', []],
    ['  ', []],
    ['openssl', [word('openssl')]],
    [' critical  windows\tserver\u00a02022 ', ['critical', 'windows', 'server', '2022'].map(word)],
    ['"windows server 2022" critical', [phrase('windows server 2022'), word('critical')]],
    ['critical "windows server"', [word('critical'), phrase('windows server')]],
    ['"say ""yes"" now"', [phrase('say "yes" now')]],
    ['""', []],
    ['"" openssl', [word('openssl')]],
    ['" "', [phrase(' ')]],
    ['""""', [phrase('"')]],
  ])('splits %j into %j', (typed, terms) => {
    expect(keywordTerms(typed)).toEqual(terms);
  });

  test.each([
    ['"windows server', ['"windows', 'server']],
    ['windows server"', ['windows', 'server"']],
    ['"', ['"']],
    ['"""', ['"""']],
    ['6" disk', ['6"', 'disk']],
    ['"open"ssl lib', ['"open"ssl', 'lib']],
    ["o'neil", ["o'neil"]],
  ])('keeps the quotes of %j within its words', (typed, words) => {
    expect(keywordTerms(typed)).toEqual(words.map(word));
  });
});

/** Texts without blanks, and without a quote where it would begin a phrase. */
const plainWord = fc
  .array(fc.constantFrom('a', 'Ü', '2', '-', ':', '%', '\\', "'", '"', '😀'), {
    minLength: 1,
    maxLength: 6,
  })
  .map((letters) => letters.join(''))
  .filter((text) => !text.startsWith('"'));
const plainPhrase = fc
  .array(fc.constantFrom('a', ' ', '"', '\n', '2', '%', 'ß'), { minLength: 1, maxLength: 8 })
  .map((letters) => letters.join(''));
const term: fc.Arbitrary<KeywordTerm> = fc.oneof(plainWord.map(word), plainPhrase.map(phrase));
const blank = fc.constantFrom(' ', '  ', '\t', '\n', '\u00a0', '\u3000');

test('reads written terms back, whatever separates them', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(term, blank)), (written) => {
      const keyword = written.map(([one, space]) => writeTerm(one) + space).join('');
      expect(keywordTerms(keyword)).toEqual(written.map(([one]) => one));
    }),
    { numRuns: 3000 },
  );
});

const anything = fc.oneof(
  fc.string({ maxLength: 300, unit: 'binary' }),
  fc.array(fc.constantFrom('"', ' ', 'a', 'b', '""'), { maxLength: 60 }).map((all) => all.join('')),
);

test('loses no characters of any text except blanks and quotes', () => {
  const bare = (text: string) => text.replaceAll(/[\s"]/g, '');
  fc.assert(
    fc.property(anything, (typed) => {
      const terms = keywordTerms(typed);
      expect(bare(terms.map(({ text }) => text).join(''))).toBe(bare(typed));
      expect(terms.filter(({ text }) => text === '')).toEqual([]);
      expect(terms.filter((one) => !one.phrase && /\s/.test(one.text))).toEqual([]);
    }),
    { numRuns: 3000 },
  );
});

test('searches for a text as a phrase with its exact keyword', () => {
  fc.assert(
    fc.property(
      anything.filter((text) => text !== ''),
      (text) => {
        expect(keywordTerms(exactKeyword(text)).map((one) => one.text)).toEqual([text]);
        expect(keywordName(exactKeyword(text))).toBe(text);
        expect(keywordLength(exactKeyword(text))).toBe(text.length);
      },
    ),
    { numRuns: 3000 },
  );
  expect(exactKeyword('KB5034441')).toBe('KB5034441');
  expect(exactKeyword('open ssl')).toBe('"open ssl"');
});

test('counts neither the quotes of phrases nor the second of a doubled quote', () => {
  expect(keywordLength('x'.repeat(maxKeywordLength))).toBe(maxKeywordLength);
  expect(keywordLength('"open ssl" lib')).toBe('open ssl lib'.length);
  expect(keywordLength('"say ""yes"""')).toBe('say "yes"'.length);
  expect(keywordLength('"open ssl')).toBe('"open ssl'.length);
  expect(keywordLength('"" '.repeat(5_000))).toBe(15_000);
});

test('names a record by the only term, or by the complete text', () => {
  expect(keywordName(' "Windows Server" ')).toBe('Windows Server');
  expect(keywordName(' Windows  Server ')).toBe('Windows  Server');
});
