import { expect, test } from 'vitest';
import { textLines } from './text-lines.ts';

async function* inPieces(...pieces: string[]): AsyncGenerator<string> {
  yield* pieces;
}

async function collectLines(pieces: AsyncIterable<string>, maxLength = 100): Promise<string[]> {
  const all: string[] = [];
  for await (const lines of textLines(pieces, maxLength)) all.push(...lines);
  return all;
}

test('joins lines that are cut between pieces', async () => {
  expect(await collectLines(inPieces('a', 'b', '\nc', '\n\nd\r\ne', '', 'f\n'))).toEqual([
    'ab',
    'c',
    '',
    'd\r',
    'ef',
  ]);
  expect(await collectLines(inPieces('a\nb', 'c'))).toEqual(['a', 'bc']);
  expect(await collectLines(inPieces())).toEqual([]);
});

test('keeps separators that JSON leaves in texts', async () => {
  expect(await collectLines(inPieces('"a\u2028b"\n'))).toEqual(['"a\u2028b"']);
});

test('refuses a line that is longer than allowed, whether it ends or not', async () => {
  await expect(collectLines(inPieces('abc', 'def'), 5)).rejects.toThrow(
    'a line is longer than 5 characters',
  );
  await expect(collectLines(inPieces('abc', 'def\n'), 5)).rejects.toThrow('longer than 5');
  expect(await collectLines(inPieces('abc', 'de\n'), 5)).toEqual(['abcde']);
});

// Joining the line again with each piece would copy 2 TB and exceed the test's time limit.
test('reads a line of 64 MB in small pieces', async () => {
  async function* pieces() {
    for (let number = 0; number < 65_536; number++) yield 'x'.repeat(1024);
    yield '\n';
  }
  const [line] = await collectLines(pieces(), 64 * 1024 ** 2);
  expect(line?.length).toBe(64 * 1024 ** 2);
});
