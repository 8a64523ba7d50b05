import { expect, test } from 'vitest';
import { nextStrings } from './next-strings.ts';

const read = (text: string) => Object.fromEntries(nextStrings(text));

test('reads both quotes, comments, several lines, and escapes', () => {
  expect(
    read(String.raw`// "OLD" = "no";
/* "OLDER" = "no";
*/
"SU_TITLE" = "iWork \"Update\" 5"; "SU_NO"='1';
SU_VERS='9.0.5' ;
"SU_DESCRIPTION"='First line.
Second: é\n\U00e9';
`),
  ).toEqual({
    SU_TITLE: 'iWork "Update" 5',
    SU_NO: '1',
    SU_VERS: '9.0.5',
    SU_DESCRIPTION: 'First line.\nSecond: é\né',
  });
});

test('keeps a quote of the same kind inside a value', () => {
  expect(
    read(
      `"A" = '<p>Apple's "lantern"; it's new.</p>';\r\n"B" = "say "yes"; or no";\n"C"="1"; "D"="2"; // end`,
    ),
  ).toEqual({
    A: `<p>Apple's "lantern"; it's new.</p>`,
    B: 'say "yes"; or no',
    C: '1',
    D: '2',
  });
});

test('reads the first of two entries of one key, and skips other text', () => {
  expect(read('"A" = "1";\n"A" = "2";\nnonsense here\n"B" = unquoted;\n"C" = "3";')).toEqual({
    A: '1',
    C: '3',
  });
  expect(read('"A" = "never closed')).toEqual({});
  expect(read('')).toEqual({});
});
