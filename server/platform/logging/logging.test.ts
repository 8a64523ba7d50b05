import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { createLog, openRotatedFile } from './logging.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder(onTestFinished);
});

const content = (name: string) => readFileSync(join(folder, name), 'utf8');

test('rotates the file by size and removes the oldest', () => {
  const file = openRotatedFile(folder, 'server.log', { bytes: 10, files: 3 });
  for (const line of ['first 1\n', 'second\n', 'third\n', 'fourth\n', 'fifth\n']) file.write(line);
  file.close();
  expect(readdirSync(folder).toSorted()).toEqual(['server.log', 'server.log.1', 'server.log.2']);
  expect([content('server.log'), content('server.log.1'), content('server.log.2')]).toEqual([
    'fifth\n',
    'fourth\n',
    'third\n',
  ]);
});

test('follows a rotation by another process', () => {
  const limits = { bytes: 20, files: 3 };
  const first = openRotatedFile(folder, 'server.log', limits);
  const second = openRotatedFile(folder, 'server.log', limits);
  second.write('second 1\n');
  first.write('first 1, longer\n');
  first.write('first 2\n');
  second.write('second 2 longer\n');
  second.write('second 3\n');
  first.close();
  second.close();
  expect(readdirSync(folder).map(content).join('').split('\n').filter(Boolean).toSorted()).toEqual(
    ['first 1, longer', 'first 2', 'second 1', 'second 2 longer', 'second 3'].toSorted(),
  );
});

test("logs a database error without the statement's parameters", () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) });
  const failure = Object.assign(new Error('duplicate key', { cause: new Error('below') }), {
    code: '23505',
    params: ['hunter2'],
    query: 'insert',
  });
  log.error({ err: failure }, 'failed');
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    msg: 'failed',
    err: { message: 'duplicate key', code: '23505', cause: { message: 'below' } },
  });
  expect(lines.join('')).not.toContain('hunter2');
});
