import { expect, inject, test } from 'vitest';
import { StartupError } from '../../errors/startup-error.ts';
import { createLog } from '../../logging/logging.ts';
import { connectDatabase } from './connect-database.ts';

const lines: string[] = [];
const log = createLog('info', { write: (line) => void lines.push(line) });

test('waits for a server that does not answer, then names it without the password', async () => {
  const config = {
    dataDir: '/nowhere',
    databaseUrl: 'postgres://patch:hunter2@127.0.0.1:9/patches',
    postgresSettings: {},
  };
  const failure = await connectDatabase(config, log, undefined, 1_500).catch(
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(StartupError);
  expect(String(failure)).toMatch(
    /The PostgreSQL server at 127\.0\.0\.1:9\/patches cannot be reached: .*ECONNREFUSED.*\. Start it, or correct DATABASE_URL\.$/,
  );
  expect(lines.length).toBeGreaterThanOrEqual(1);
  expect(lines.join('') + String(failure)).not.toContain('hunter2');
});

test('does not wait for a database that does not exist', async () => {
  const url = new URL(inject('cluster').url);
  url.pathname = '/no_such_database';
  const failure = await connectDatabase(
    { dataDir: '/nowhere', databaseUrl: url.href, postgresSettings: {} },
    log,
  ).catch((error: unknown) => error);
  expect(String(failure)).toMatch(
    /refuses the connection: database "no_such_database" does not exist\. Correct DATABASE_URL\.$/,
  );
});
