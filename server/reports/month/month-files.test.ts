import { expect, test } from 'vitest';
import { escapeMarkdown } from './month-files.ts';

test.each([
  ['a | b', String.raw`a \| b`],
  ['[here](https://example.org)', '\\[here\\]\\(https:\u200B//example.org\\)'],
  ['<img src=x onerror=y>', '&lt;img src=x onerror=y&gt;'],
  ['two\nlines\r\n# heading', String.raw`two lines \# heading`],
  ['www.example.org', 'www\u200B.example.org'],
  ['back\\slash `code`', 'back\\\\slash \\`code\\`'],
])('escapes %j', (text, expected) => {
  expect(escapeMarkdown(text)).toBe(expected);
});
