/** The role of the containers' database can create tables but not run programs; the service warns about a superuser. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, inject, test } from 'vitest';
import { createLog } from '../../logging/logging.ts';
import { serverDatabase } from '../server-database.ts';
import { connectDatabase } from './connect-database.ts';

const readText = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../../../../${name}`, import.meta.url)), 'utf8');
const script = readText('deploy/create-database-role.sh');

test('signs in with the role that the script creates', () => {
  expect(/DATABASE_URL: postgres:\/\/(\w+):/.exec(readText('compose.yaml'))?.[1]).toBe('patches');
  const words = /^create role patches (.*) password/m.exec(script)?.[1]?.split(' ');
  expect(words).toEqual(
    expect.arrayContaining(['login', 'nosuperuser', 'nocreaterole', 'nocreatedb']),
  );
});

const url = inject('cluster').superuserUrl;
describe('the role of the service', () => {
  const role = `patches_${Math.random().toString(36).slice(2)}`;
  const superuser = serverDatabase({ url, connections: 1 });
  afterAll(() => superuser.close());

  async function collectWarnings(
    change: Partial<URL>,
    work: (database: Awaited<ReturnType<typeof connectDatabase>>) => Promise<void>,
  ) {
    const lines: string[] = [];
    const databaseUrl = Object.assign(new URL(url), change).href;
    const log = createLog('info', { write: (line) => void lines.push(line) });
    const database = await connectDatabase(
      { dataDir: '/nowhere', databaseUrl, postgresSettings: {} },
      log,
    );
    try {
      await work(database);
    } finally {
      await database.close();
    }
    return lines.join('');
  }

  test('creates the tables and cannot run programs', async () => {
    const statements = script
      .split('\n')
      .filter((line) => /^create (?:role|database) patches /.test(line));
    expect(statements).toHaveLength(2);
    for (const line of statements)
      await superuser.script(line.replaceAll('patches', role).replace(":'password'", "'secret'"));
    const warnings = await collectWarnings(
      { username: role, password: 'secret', pathname: `/${role}` },
      async (database) => {
        expect(
          (await database.query('select count(*) as total from almalinux_patch')).rows,
        ).toEqual([{ total: 0 }]);
        await expect(database.script("copy (select 1) to program 'true'")).rejects.toThrow(
          /permission denied|superuser/,
        );
      },
    );
    expect(warnings).toBe('');
  });

  test('causes a warning when it is a superuser', async () => {
    const warnings = await collectWarnings({ pathname: `/${role}` }, async () => undefined);
    expect(warnings).toMatch(/The role .* of the database is a superuser/);
  });
});
