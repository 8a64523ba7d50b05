/** Runs `npm run backup` and `npm run restore` as an administrator does at the terminal. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { defaultSettings } from '@patch/contract/operations/settings-endpoints.ts';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { migrate } from '../../platform/database/schema/migrate.ts';
import { readSettings, writeSettings } from '../../platform/settings/settings-store.ts';
import { openInFolder } from '../../testing/databases.ts';
import { runMain } from '../../testing/run-main.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';

// Each command is a process that starts PostgreSQL: on a busy machine several take more than a minute.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);
const [dump, key] = [at('all.sql.gz'), at('key.txt')];

beforeAll(async () => {
  const database = await openInFolder(at('first'));
  await migrate(database);
  await writeSettings(database, { ...defaultSettings, name: 'Patches of Acme' });
  await database.close();
});

const command = (name: 'backup' | 'restore', dataDir: string, ...words: string[]) =>
  runMain(new URL(`${name}-main.ts`, import.meta.url), { DATA_DIR: at(dataDir) }, ...words);
const succeeds = (words: string) => ({ code: 0, output: expect.stringContaining(words) });
const fails = (words: string) => ({ code: 1, output: expect.stringContaining(words) });

describe('at the terminal', () => {
  test('writes, verifies and restores a backup into an empty folder', async () => {
    const written = await command('backup', 'first', dump);
    expect(written).toEqual(succeeds('Keep SECRET_KEY, or secret.key of the data folder'));
    const text = gunzipSync(await readFile(dump)).toString();
    await writeFile(at('changed.sql'), text.replace('Patches of Acme', 'Patches of Evil'));
    const [good, changed, withoutKey, { output: publicKey }] = await Promise.all([
      command('restore', 'first', dump, '--check'),
      command('restore', 'first', at('changed.sql'), '--check'),
      // A new machine, whose data folder has no key: the stored public key verifies the dump.
      command('restore', 'second', dump, '--check'),
      command('backup', 'first', '--public-key'),
    ]);
    expect(good).toEqual(succeeds('is unchanged since it was written, and signed with the key'));
    expect(changed).toEqual(fails('was changed after it was signed'));
    expect(withoutKey).toEqual(fails('no key is known here'));
    expect(written.output).toContain(publicKey.trim());
    await writeFile(key, publicKey);
    const restored = await command('restore', 'second', dump, '--key', key);
    expect(restored).toEqual(succeeds('Everybody has to sign in again.'));
  });

  test('refuses the folder of a running service', async () => {
    const service = await openInFolder(at('second'));
    expect((await readSettings(service)).name).toBe('Patches of Acme');
    const refused = await Promise.all([
      command('backup', 'second', at('other.sql')),
      command('restore', 'second', dump, '--replace', '--key', key),
    ]);
    await service.close();
    expect(refused).toEqual([fails('is in use'), fails('is in use')]);
  });

  test('refuses to overwrite existing data, a missing database or dump, and invalid arguments, with a sentence', async () => {
    const refused = await Promise.all([
      command('backup', 'first', dump),
      command('restore', 'second', dump, '--key', key),
      command('restore', 'first', at('first/lock'), '--replace'),
      command('backup', 'nowhere', at('other.sql')),
      command('restore', 'first', dump, '--key', 'none'),
      command('restore', 'first', dump, '--force'),
      command('backup', 'first', at('no/such/folder.sql')),
      command('restore', 'first', folder, '--check'),
    ]);
    expect(refused).toEqual(
      [
        'already exists',
        /not empty.*--replace/s,
        'lock does not exist. Check the path, then run the command again.',
        ' contains no database. Set DATA_DIR',
        'neither a public key nor a file with one',
        '--accept-unsigned',
        /The folder .*no\/such does not exist\. Create it, or give a file in another folder\./,
        'is a folder. Give a file.',
      ].map((words) => ({ code: 1, output: expect.stringMatching(words) })),
    );
    for (const { output } of refused) expect(output).not.toContain('    at ');
    expect((await readdir(folder)).filter((name) => name.startsWith('other'))).toEqual([]);
  });
});
