import { expect, test } from 'vitest';
import { z } from 'zod';
import { cveIdOf, distinctWords, invalidReason, webAddressOf, wordOf } from './vendor-words.ts';

test('words', () => {
  expect(wordOf(' a b ')).toBe('a b');
  expect(wordOf(7)).toBe('7');
  expect(wordOf('\n one\r\n  two \n')).toBe('one two');
  for (const nothing of ['', '  ', null, undefined, {}, true]) expect(wordOf(nothing)).toBeNull();
});

test('words come once, none of them empty or over two lines', () => {
  expect(distinctWords(['b', ' a', 'b ', '', null, 3, 'c\r\n  d'])).toEqual(['b', 'a', '3', 'c d']);
});

test('a CVE id and nothing else', () => {
  expect(cveIdOf(' cve-2024-3094 ')).toBe('CVE-2024-3094');
  for (const other of [
    'https://launchpad.net/bugs/2054090',
    'CAN-2004-0990',
    'CVE-2024-12',
    'CVE-2024-3094 x',
    null,
  ]) {
    expect(cveIdOf(other)).toBeNull();
  }
});

test('an address of the web and nothing else', () => {
  expect(webAddressOf(' https://example.org/a?b=1 ')).toBe('https://example.org/a?b=1');
  for (const other of [
    'javascript:alert(1)',
    'file:///etc/passwd',
    'https://',
    'https://a b',
    'http://[',
    '',
    null,
  ]) {
    expect(webAddressOf(other)).toBeNull();
  }
});

test('a rejection names the field', () => {
  const read = z
    .object({ packages: z.array(z.object({ name: z.string() })) })
    .safeParse({ packages: [{ name: 'a' }, { name: 1 }] });
  expect(read.error && invalidReason(read.error)).toBe(
    'packages.1.name: Invalid input: expected string, received number',
  );
  const whole = z.object({}).safeParse(3);
  expect(whole.error && invalidReason(whole.error)).toBe(
    'the record: Invalid input: expected object, received number',
  );
  const named = z.object({ name: z.string() });
  const reasons = [{}, { name: null }]
    .map((value) => named.safeParse(value).error)
    .map((error) => error && invalidReason(error));
  expect(reasons).toEqual(['name is missing', 'name is empty']);
});
