import { expect, test } from 'vitest';
import { isPlainLines, isPlainName, isPlainText } from './plain-text.ts';

test.each([
  'Ada',
  'Zoë Müller-Lüdenscheidt',
  '情報システム部',
  'محمد',
  'नमस्ते',
  'Ops 🚢',
  'a\u00a0b',
])('accepts %j', (text) => {
  expect([isPlainText(text), isPlainName(text)]).toEqual([true, true]);
});

test.each([
  ['a line break', 'a\nb'],
  ['U+0000', 'a\0b'],
  ['a C1 control', 'a\u0085b'],
  ['a line separator', 'a\u2028b'],
  ['a paragraph separator', 'a\u2029b'],
  ['half of a surrogate pair', 'a\ud83d'],
  ['a right-to-left override', 'nimda\u202e'],
  ['an isolate', 'a\u2066b\u2069'],
  ['a mark of direction', 'a\u200fb'],
  ['a zero-width space', 'adm\u200bin'],
  ['a byte order mark', '\ufeffadmin'],
  ['a soft hyphen', 'ad\u00admin'],
  ['a tag character', 'admin\u{e0041}'],
])('refuses %s', (_, text) => {
  expect([isPlainText(text), isPlainName(text)]).toEqual([false, false]);
});

test('allows the joiners of scripts in texts, but not in names of users', () => {
  for (const text of ['می\u200cخواهم', '👩\u200d🚀'])
    expect([isPlainText(text), isPlainName(text)]).toEqual([true, false]);
});

test('accepts lines and tabs where several lines are allowed', () => {
  expect(['a\nb\r\nc\td', '', 'a\0b', 'a\n\u202eb', 'a\rb'].map(isPlainLines)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});
