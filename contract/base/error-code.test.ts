import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { errorCode, isSystemError } from './error-code.ts';

test('reads the code of a file system error', async () => {
  const error: unknown = await readFile('/no/such/file').catch((thrown: unknown) => thrown);
  expect(errorCode(error)).toBe('ENOENT');
  expect(isSystemError(error)).toBe(true);
});

test.each([
  [new Error('x')],
  [Object.assign(new Error('x'), { code: 7 })],
  [{ code: 'ENOENT', syscall: 'open' }],
  ['ENOENT'],
  [null],
])('finds no code in %o', (error) => {
  expect(errorCode(error)).toBe(null);
  expect(isSystemError(error)).toBe(false);
});
