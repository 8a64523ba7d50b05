/** `npm run backup` and `npm run restore` as an administrator calls them at the terminal. */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { defaultSettings } from '@patch/contract/settings-endpoints.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migrate } from '../../platform/database/migrate.ts';
import { readSettings, writeSettings } from '../../platform/settings/settings-store.ts';
import { openInFolder } from '../../testing/databases.ts';

const run = promisify(execFile);
let folder: string;
const at = (name: string) => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backup-commands-'));
  const database = await openInFolder(at('first'));
  await migrate(database);
  await writeSettings(database, { ...defaultSettings, name: 'Patches of Acme' });
  await database.close();
}, 60_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

async function command(name: 'backup' | 'restore', dataDir: string, ...words: string[]) {
  const program = join(import.meta.dirname, `${name}-main.ts`);
  const env = { PATH: process.env['PATH'], DATA_DIR: at(dataDir) };
  const { stdout, stderr, code } = await run(process.execPath, [program, ...words], { env }).then(
    (done) => ({ ...done, code: 0 }),
    (failed: { stdout: string; stderr: string; code: number }) => failed,
  );
  return { code, words: stdout + stderr };
}

async function nameIn(dataDir: string): Promise<string> {
  const database = await openInFolder(at(dataDir));
  try {
    return (await readSettings(database)).name;
  } finally {
    await database.close();
  }
}

describe('at the terminal', () => {
  test('a backup is written and restored into an empty folder', async () => {
    const written = await command('backup', 'first', at('all.sql.gz'));
    expect(written).toMatchObject({
      code: 0,
      words: expect.stringContaining('Keep SECRET_KEY, or secret.key of the data folder'),
    });
    // A new machine, whose data folder has no key: the public key that was kept verifies the dump.
    const refused = await command('restore', 'second', at('all.sql.gz'));
    expect(refused).toMatchObject({
      code: 1,
      words: expect.stringContaining('no key is known here'),
    });
    const { words: publicKey } = await command('backup', 'first', '--public-key');
    expect(written.words).toContain(publicKey.trim());
    await writeFile(at('key.txt'), publicKey);
    const restored = await command('restore', 'second', at('all.sql.gz'), '--key', at('key.txt'));
    expect(restored).toMatchObject({
      code: 0,
      words: expect.stringContaining('Everybody has to sign in again.'),
    });
    expect(await nameIn('second')).toBe('Patches of Acme');
  });

  test('what would be lost is refused in a sentence, and nothing is changed', async () => {
    expect(await command('backup', 'first', at('all.sql.gz'))).toMatchObject({
      code: 1,
      words: expect.stringContaining('already exists'),
    });
    const key = ['--key', at('key.txt')];
    const again = await command('restore', 'second', at('all.sql.gz'), ...key);
    expect(again).toMatchObject({
      code: 1,
      words: expect.stringMatching(/^[^]*not empty[^]*--replace/),
    });
    expect(again.words).not.toContain('    at ');
    expect(await command('restore', 'second', at('all.sql.gz'), '--replace', ...key)).toMatchObject(
      { code: 0 },
    );
  });

  test('a dump is verified without restoring it', async () => {
    expect(await command('restore', 'first', at('all.sql.gz'), '--check')).toMatchObject({
      code: 0,
      words: expect.stringContaining('is as it was written, and signed with the key'),
    });
    const text = gunzipSync(await readFile(at('all.sql.gz'))).toString();
    await writeFile(at('changed.sql'), text.replace('Patches of Acme', 'Patches of Evil'));
    const changed = await command('restore', 'first', at('changed.sql'), '--check');
    expect(changed).toMatchObject({
      code: 1,
      words: expect.stringContaining('was changed after it was signed'),
    });
    await writeFile(at('unsigned.sql'), text.replace(/-- signed .*\n$/, ''));
    const unsigned = await command('restore', 'first', at('unsigned.sql'), '--check');
    expect(unsigned).toMatchObject({
      code: 1,
      words: expect.stringContaining('The dump is not signed'),
    });
    expect(await command('restore', 'first', at('all.sql.gz'), '--key', 'none')).toMatchObject({
      code: 1,
      words: expect.stringContaining('none is neither a public key nor a file with one'),
    });
    expect(await command('restore', 'first', at('all.sql.gz'), '--force')).toMatchObject({
      code: 1,
      words: expect.stringContaining('--accept-unsigned'),
    });
  });

  test('a folder that a service holds, one without a database, and a file that is none are refused', async () => {
    const held = await openInFolder(at('first'));
    expect(await command('backup', 'first', at('other.sql'))).toMatchObject({ code: 1 });
    await held.close();
    expect(await command('backup', 'nowhere', at('other.sql'))).toMatchObject({
      code: 1,
      words: expect.stringContaining('There is no database in'),
    });
    const missing = await command('restore', 'third', at('first/lock'));
    expect(missing).toMatchObject({ code: 1, words: expect.stringContaining('no such file') });
    expect(missing.words).not.toContain('    at ');
    expect(await command('backup', 'first')).toMatchObject({
      code: 1,
      words: expect.stringContaining('Name one file'),
    });
    expect((await readdir(folder)).filter((name) => name.startsWith('other'))).toEqual([]);
  });
});
