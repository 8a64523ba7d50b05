import { expect, test } from 'vitest';
import { formerNameIn } from './former-names.ts';

test.each([
  ["throw new Refusal(404, 'not_found', 'There is no such run.');", 'Refusal is called AppError'],
  ['const user = whoAsks(request);', 'whoAsks is called requireUser'],
  ['const mostRows = 100;', 'mostRows is called maxRows'],
])('refuses %s', (line, problem) => {
  expect(formerNameIn(line)).toBe(problem);
});

test.each([
  'const refusals = 1;',
  'events.notify();',
  'const most = 3;',
  'if (maxRows > 1) return;',
])('passes %s', (line) => {
  expect(formerNameIn(line)).toBeNull();
});
