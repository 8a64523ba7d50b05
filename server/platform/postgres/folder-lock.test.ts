/** Tests the lock with real processes that are killed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { kill } from '../../testing/killed-writer.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { FolderInUse, lockFolder } from './folder-lock.ts';

const holder = fileURLToPath(new URL('../../testing/database-holder.ts', import.meta.url));
let folder: string;
beforeEach(() => {
  folder = temporaryFolder(onTestFinished);
});

/** Starts a process that locks the folder. */
function start() {
  const child = spawn(process.execPath, [holder, folder, 'lock'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => kill(child));
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout });
  reader.on('line', (line) => lines.push(line));
  return {
    child,
    lastLine: async () => lines.at(-1) ?? String((await once(reader, 'line'))[0]),
  };
}

test('refuses a second lock in the same process until the first is released', () => {
  const lock = lockFolder(folder);
  expect(() => lockFolder(folder)).toThrow(
    /in use by this process already, since 20\d\d-.*DATA_DIR/,
  );
  lock.release();
  lock.release();
  lockFolder(folder).release();
  expect(existsSync(join(folder, 'database-holder.json'))).toBe(false);
});

test('refuses another process, names the holder, and frees the folder when that is killed', async () => {
  const { child, lastLine } = start();
  expect(await lastLine()).toBe('locked');
  expect(() => lockFolder(folder)).toThrow(FolderInUse);
  expect(() => lockFolder(folder)).toThrow(
    new RegExp(`in use by process ${child.pid} on \\S+, since .*database-holder\\.ts`),
  );
  await kill(child);
  lockFolder(folder).release();
});

test('locks for one of several processes that start at once', async () => {
  const starters = Array.from({ length: 4 }, () => start());
  const lastLine = await Promise.all(starters.map((starter) => starter.lastLine()));
  expect(lastLine.filter((line) => line === 'locked')).toHaveLength(1);
  expect(lastLine.filter((line) => line.startsWith('refused: '))).toHaveLength(3);
});
