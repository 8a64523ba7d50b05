/** Tests calls of the client that end before it asks a repository. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@patch/server/testing/temporary-folder.ts';
import { expect, onTestFinished, test } from 'vitest';
import { callClient, spawnClient } from './testing/called-client.ts';

const server = 'http://127.0.0.1:9';

test.each([
  [['--folder', 'x'], '--server must be'],
  [['--server', 'http://x'], '--folder must name'],
])('rejects the options %j alone', async (args, words) => {
  const { exit, complaints } = await callClient(args);
  expect([exit, complaints]).toEqual([2, expect.stringContaining(words)]);
});

test.each([
  [['--size', '10001'], '--size must be a whole number from 1 to 10000.'],
  [['--code', 'AAAAA'], 'mistyped'],
  [['--lists', 'a b'], '--lists must be'],
  [['--nonsense'], '--nonsense'],
  [[], 'holds no activation'],
])('rejects the options %j', async (args, words) => {
  const folder = temporaryFolder(onTestFinished);
  const { exit, complaints } = await callClient(['--server', server, '--folder', folder, ...args]);
  expect([exit, complaints.split('\n', 1)[0]]).toEqual([2, expect.stringContaining(words)]);
});

test('rejects an unusable folder', async () => {
  const file = join(temporaryFolder(onTestFinished), 'file');
  writeFileSync(file, '');
  const called = await callClient(['--server', server, '--folder', join(file, 'below')]);
  expect(called).toMatchObject({ exit: 5, complaints: expect.stringContaining('cannot be used') });
});

test('explains its options and exit codes', async () => {
  const help = await spawnClient(['--help']).done;
  expect(help).toMatchObject({ exit: 0, out: expect.stringContaining('Exit codes') });
});
