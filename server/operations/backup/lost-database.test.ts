/** The database is lost in the middle of each command at the terminal. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { defaultSettings } from '@patch/contract/operations/settings-endpoints.ts';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { isDatabaseUnavailable } from '../../platform/database/database-unavailable.ts';
import type { OpenDatabase } from '../../platform/database/schema/open-database.ts';
import { readSettings, writeSettings } from '../../platform/settings/settings-store.ts';
import { cutAt } from '../../testing/cut-connection.ts';
import { openEmpty, openMigrated } from '../../testing/databases.ts';
import { buildUser, passwordHash } from '../../testing/factories.ts';
import { runMain } from '../../testing/run-main.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';

// Each command is a process, which takes some seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const folder = temporaryFolder();
const dump = join(folder, 'all.sql.gz');
const mains = {
  backup: new URL('backup-main.ts', import.meta.url),
  restore: new URL('restore-main.ts', import.meta.url),
  recover: new URL('../../identity/sign-in/recover-administrator-main.ts', import.meta.url),
};

const run = (name: keyof typeof mains, url: string, ...words: string[]) =>
  runMain(mains[name], { DATA_DIR: folder, DATABASE_URL: url }, ...words);

/** The database is named, and the last words are those of the driver. */
const sentence = (state: string) => ({
  code: 1,
  output: expect.stringMatching(
    new RegExp(
      `^The PostgreSQL at 127\\.0\\.0\\.1:\\d+/test_\\w+ stopped responding\\. ${state}`,
      'm',
    ),
  ),
});

/** Opens a database, as a test's own, that is dropped when the test ends. */
async function withDatabase(
  open: () => Promise<OpenDatabase>,
  work: (database: OpenDatabase) => Promise<void>,
): Promise<void> {
  const database = await open();
  try {
    await work(database);
  } finally {
    await database.close();
  }
}

/** Returns the name in the settings; null when the database is empty. */
const readName = (database: OpenDatabase) =>
  readSettings(database).then(
    ({ name }) => name,
    (error: unknown) => {
      if (isDatabaseUnavailable(error)) throw error;
      return null;
    },
  );

beforeAll(() =>
  withDatabase(openMigrated, async (database) => {
    await writeSettings(database, { ...defaultSettings, name: 'dumped' });
    const { code, output } = await run('backup', database.url, dump);
    if (code !== 0) throw new Error(output);
  }),
);

describe('a database that is lost', () => {
  test.each(['begin', 'declare reading', 'fetch '])(
    'during a backup, at "%s", leaves no file',
    (words) =>
      withDatabase(openMigrated, async (database) => {
        const file = join(folder, 'other.sql');
        const { url, isCut } = await cutAt(database.url, words);
        const ended = await run('backup', url, file);
        expect(isCut()).toBe(true);
        expect(ended).toEqual(
          sentence('No dump was written, and the database is unchanged\\. Run '),
        );
        expect(ended.output).not.toContain('    at ');
        expect([file, `${file}.unfinished`].map(existsSync)).toEqual([false, false]);
      }),
  );

  test.each([
    ['its first statement', 'pg_stat_activity', 'Nothing was restored'],
    ['a table', 'create table', 'Nothing was restored'],
    ['rows', 'insert into', 'Nothing was restored'],
    ['its commit', 'commit\0', 'It contains either all rows of the dump or what it'],
  ])('during a restore, at %s, leaves what was there', (_, words, state) =>
    withDatabase(openEmpty, async (database) => {
      const { url, isCut } = await cutAt(database.url, words);
      const ended = await run('restore', url, dump);
      expect(isCut()).toBe(true);
      expect(ended).toEqual(sentence(state));
      expect(ended.output).not.toContain('    at ');
      expect(await readName(database)).toBeNull();
    }),
  );

  test('during a restore whose commit it does not confirm has either state', () =>
    withDatabase(openEmpty, async (database) => {
      const { url, isCut } = await cutAt(database.url, 'commit\0', true);
      expect(await run('restore', url, dump)).toEqual(
        sentence('It contains either all rows of the dump or what it contained before'),
      );
      expect(isCut()).toBe(true);
      expect(await readName(database)).toBe('dumped');
    }));

  test('after a restore is noted beside the number of rows', () =>
    withDatabase(openEmpty, async (database) => {
      const { url, isCut } = await cutAt(database.url, 'vacuum (analyze)');
      const ended = await run('restore', url, dump);
      expect(isCut()).toBe(true);
      expect(ended).toEqual({
        code: 0,
        output: expect.stringMatching(
          /stopped responding after the restore.*\n\d+ rows restored\. Everybody has to sign in again/,
        ),
      });
      expect(await readName(database)).toBe('dumped');
    }));

  test.each([
    ['the account', 'name_folded', true],
    ['a change', 'update users', true],
    ['its commit', 'commit\0', true],
    ['the entry in the audit log', 'for update', false],
  ])(
    'while an administrator is recovered, at %s, advises to repeat the command',
    (_, words, isUnchanged) =>
      withDatabase(openMigrated, async (database) => {
        await buildUser(database, { name: 'Operator', userType: 'Admin' });
        const { url, isCut } = await cutAt(database.url, words);
        const ended = await run('recover', url, 'Operator');
        expect(isCut()).toBe(true);
        expect(ended).toEqual(
          sentence('The account may have a new password that was not shown\\.'),
        );
        expect(ended.output).not.toContain('    at ');
        const { rows } = await database.query('select password_hash as hash from users');
        expect(rows[0]?.['hash'] === passwordHash).toBe(isUnchanged);
      }),
  );

  test('before a command begins is named too', async () => {
    const { code, output } = await run('backup', 'postgres://x@127.0.0.1:1/none', `${dump}.new`);
    expect([code, output]).toEqual([
      1,
      expect.stringMatching(/PostgreSQL at 127\.0\.0\.1:1\/none stopped responding\. No dump was/),
    ]);
  });
});
