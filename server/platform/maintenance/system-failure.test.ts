import { mkdirSync, openSync, readFileSync, readSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { describeSystemFailure, nameFile } from './system-failure.ts';

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);

async function describe(work: () => unknown, file = ''): Promise<string> {
  const failure = await (async () => work())()
    .catch(nameFile(file))
    .catch((error: Error) => error);
  return describeSystemFailure(failure as Error);
}

test('names the file and says what to do', async () => {
  mkdirSync(at('folder'));
  writeFileSync(at('file'), '');
  const advice = 'Check the path, then run the command again.';
  expect(await describe(() => readFileSync(at('none')))).toBe(
    `${at('none')} does not exist. ${advice}`,
  );
  expect(await describe(() => writeFileSync(at('no/all.sql.unfinished'), ''))).toBe(
    `${at('no/all.sql')} does not exist. ${advice}`,
  );
  expect(await describe(() => readFileSync(at('file/all.sql')))).toContain('is no folder.');
  const opened = openSync(at('folder'), 'r');
  expect(await describe(() => readSync(opened, Buffer.alloc(1)), at('folder'))).toBe(
    `${at('folder')} is a folder. Give a file.`,
  );
});

test.skipIf(process.platform !== 'linux')('names the disk that is full', async () => {
  const full = openSync('/dev/full', 'w');
  expect(await describe(() => writeSync(full, 'x'), '/backups/all.sql')).toBe(
    'The disk of /backups/all.sql is full. Free some space, or choose another disk, then run the command again.',
  );
});

test('returns the message of another failure', async () => {
  const closed = () => writeSync(2 ** 20, 'x');
  expect(await describe(closed, at('file'))).toBe('EBADF: bad file descriptor, write');
});
