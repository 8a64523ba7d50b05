import { expect, test } from 'vitest';
import { applyEdit, howToEdits } from './testing/how-to-edits.ts';

const page = `1. Write it:

   \`\`\`ts
   // contract/new-endpoint.ts (new)
   export const answer = 42;
   \`\`\`

2. Register it:

   \`\`\`ts
   // contract/endpoints.ts, below: import { first } from './first.ts';
   import { answer } from './new-endpoint.ts';
   \`\`\`
`;

test('reads where each code block goes', () => {
  expect(howToEdits(page)).toEqual([
    {
      file: 'contract/new-endpoint.ts',
      kind: 'create',
      line: '',
      code: 'export const answer = 42;\n',
    },
    {
      file: 'contract/endpoints.ts',
      kind: 'below',
      line: "import { first } from './first.ts';",
      code: "import { answer } from './new-endpoint.ts';\n",
    },
  ]);
});

test('refuses a code block that names no file', () => {
  expect(() => howToEdits('```ts\nconst a = 1;\n```\n')).toThrow(
    "A code block begins with 'const a = 1;'",
  );
});

test.each([
  ['below', 'a\n  b\nnew\nc'],
  ['above', 'a\nnew\n  b\nc'],
  ['replace', 'a\nnew\nc'],
] as const)('puts the code %s a line', (kind, expected) => {
  const edit = { file: 'some.ts', kind, line: 'b', code: 'new\n' };
  expect(applyEdit('a\n  b\nc', edit)).toBe(expected);
});

test('finds a line below another', () => {
  const edit = { file: 'some.ts', kind: 'below', line: 'second [ … same', code: 'new\n' } as const;
  expect(applyEdit('first [\nsame\nsecond [\n  same\n', edit)).toBe(
    'first [\nsame\nsecond [\n  same\nnew\n',
  );
  expect(() => applyEdit('same\nsecond [', edit)).toThrow("lacks the line 'same' below 'second ['");
});

test('refuses an edit that does not fit the file', () => {
  const edit = { file: 'some.ts', kind: 'below', line: 'b', code: 'new\n' } as const;
  expect(() => applyEdit('a', edit)).toThrow("some.ts has the line 'b' 0 times, not once");
  expect(() => applyEdit('b\nb', edit)).toThrow('2 times');
  expect(() => applyEdit(null, edit)).toThrow('some.ts is not there');
  expect(() => applyEdit('', { ...edit, kind: 'create' })).toThrow('is there already');
});
