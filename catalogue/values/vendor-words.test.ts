import { expect, test } from 'vitest';
import { z } from 'zod';
import {
  distinctWords,
  findCveIds,
  findUnknownCves,
  invalidReason,
  toCveId,
  toWebAddress,
  toWord,
} from './vendor-words.ts';

test('trims words and joins their lines', () => {
  expect(toWord(' a b ')).toBe('a b');
  expect(toWord(7)).toBe('7');
  expect(toWord('\n one\r\n  two \n')).toBe('one two');
  for (const nothing of ['', '  ', null, undefined, {}, true]) expect(toWord(nothing)).toBeNull();
});

test('lists words once, without empty ones, on one line each', () => {
  expect(distinctWords(['b', ' a', 'b ', '', null, 3, 'c\r\n  d'])).toEqual(['b', 'a', '3', 'c d']);
});

test('accepts only a CVE id', () => {
  expect(toCveId(' cve-2024-3094 ')).toBe('CVE-2024-3094');
  for (const other of [
    'https://launchpad.net/bugs/2054090',
    'CAN-2004-0990',
    'CVE-2024-12',
    'CVE-2024-3094 x',
    null,
  ]) {
    expect(toCveId(other)).toBeNull();
  }
});

test.each([
  'CVE-2024-3333,CVE-2024-4444',
  'CVE-2024-3333, cve-2024-4444',
  'CVE-2024-3333;CVE-2024-4444',
  '{CVE-2024-3333 CVE-2024-4444}',
  'CVE-2024-3333/CVE-2024-4444\nCVE-2024-3333',
  'https://example.org/cve/CVE-2024-3333?and=(CVE-2024-4444).',
])('finds both CVEs in %j', (text) => {
  expect(findCveIds([null, text, ''])).toEqual(['CVE-2024-3333', 'CVE-2024-4444']);
  expect(findUnknownCves([text], true)).toEqual([]);
});

test.each([
  ['CVE-2024-12, CVE-2024-4444', ['CVE-2024-12'], ['CVE-2024-12']],
  ['cve-2024-4444x', ['cve-2024-4444x'], ['cve-2024-4444x']],
  ['CVE-2024-XXXX;CVE-24-1', ['CVE-2024-XXXX', 'CVE-24-1'], ['CVE-2024-XXXX', 'CVE-24-1']],
  ['CAN-2004-0990', [], ['CAN-2004-0990']],
  ['https://example.org/cve/2024', [], ['https://example.org/cve/2024']],
  ['', [], []],
])('finds what is no CVE in %j', (text, words, wordsOfCves) => {
  const find = (areCves: boolean) => findUnknownCves([text], areCves).map(({ word }) => word);
  expect(find(false)).toEqual(words);
  expect(find(true)).toEqual(wordsOfCves);
});

test('accepts only a web address', () => {
  expect(toWebAddress(' https://example.org/a?b=1 ')).toBe('https://example.org/a?b=1');
  for (const other of [
    'javascript:alert(1)',
    'file:///etc/passwd',
    'https://',
    'https://a b',
    'http://[',
    '',
    null,
  ]) {
    expect(toWebAddress(other)).toBeNull();
  }
});

test('names the field in a rejection', () => {
  const read = z
    .object({ packages: z.array(z.object({ name: z.string() })) })
    .safeParse({ packages: [{ name: 'a' }, { name: 1 }] });
  expect(read.error && invalidReason(read.error)).toBe(
    'packages.1.name: Invalid input: expected string, received number',
  );
  const complete = z.object({}).safeParse(3);
  expect(complete.error && invalidReason(complete.error)).toBe(
    'the record: Invalid input: expected object, received number',
  );
  const withName = z.object({ name: z.string() });
  const reasons = [{}, { name: null }]
    .map((value) => withName.safeParse(value).error)
    .map((error) => error && invalidReason(error));
  expect(reasons).toEqual(['name is missing', 'name is empty']);
});
