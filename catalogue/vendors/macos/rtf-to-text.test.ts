import { expect, test } from 'vitest';
import { rtfToText } from './rtf-to-text.ts';

test('keeps paragraphs and characters, and drops fonts, colours and hidden groups', () => {
  const rtf = String.raw`{\rtf1\ansi{\fonttbl{\f0 Helvetica;}}{\*\generator Cocoa;}\f0\b Safari\b0\par{\i caf\'e9}\tab\emdash\line a\~b \{c\}}`;
  expect(rtfToText(rtf)).toBe('Safari\ncafé —\na b {c}');
});

test("replaces a Unicode character's substitutes by the character", () => {
  expect(rtfToText(String.raw`{\rtf1 a\u8217 ?b {\uc2\u-3913 xyz}\u9731 !c}`)).toBe(
    'a\u{2019}b \u{f0b7}z\u{2603}c',
  );
});

test('removes spaces at line ends and repeated empty lines', () => {
  expect(rtfToText('{\\rtf1  a \\par\\par \\par\\\r\n  b\\\n\nc}')).toBe('a\n\nb\nc');
});

test('accepts unmatched braces', () => {
  expect(rtfToText('}}a{b}')).toBe('ab');
  expect(rtfToText('{{a')).toBe('a');
});
