/** Starts and stops the service as a process, as an administrator does. */
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { ServiceProcess } from '../testing/service-process.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

// Each start creates a cluster: on a busy machine several take more than a minute.
vi.setConfig({ testTimeout: 300_000 });

const folder = temporaryFolder();
const running: ServiceProcess[] = [];

afterAll(() => {
  for (const { child } of running) child.kill('SIGKILL');
});

function start(environment: Readonly<Record<string, string>>): ServiceProcess {
  const service = new ServiceProcess(environment, folder);
  running.push(service);
  return service;
}

test('starts, introduces the administrator, serves, stops, and starts again, in a folder that no other account reads', async () => {
  const dataDir = join(folder, 'data');
  mkdirSync(dataDir, { mode: 0o755 });
  const openToOthers = () =>
    ['.', ...readdirSync(dataDir, { recursive: true, encoding: 'utf8' })].filter((path) => {
      const info = statSync(join(dataDir, path), { throwIfNoEntry: false });
      // PostgreSQL's own account passes through the folder when root starts the service.
      const others = path === '.' && process.getuid?.() === 0 ? 0o066 : 0o077;
      return ((info?.mode ?? 0) & others) !== 0;
    });

  const other = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  const { port } = other.address() as AddressInfo;
  const failed = start({ PORT: String(port), DATA_DIR: dataDir });
  expect([await failed.ended, failed.error]).toEqual([
    1,
    `Port ${port} on 127.0.0.1 is in use by another program. Stop that program, or set PORT to a free port.\n`,
  ]);
  other.close();
  // The failed start introduced the administrator too, before anything else can fail.
  const password = /^First administrator: user admin, password (\S+) /m.exec(failed.out)?.[1] ?? '';

  const first = start({ DATA_DIR: dataDir });
  const url = await first.ready();
  expect(first.out).not.toContain('First administrator');
  expect(openToOthers()).toEqual([]);
  expect(await (await fetch(`${url}/api/health`)).json()).toMatchObject({
    status: 'ready',
    database: 'embedded',
  });
  const { user } = await first.signIn('admin', password);
  expect(user).toMatchObject({ userType: 'Admin', mustChangePassword: true });

  const second = start({ DATA_DIR: dataDir });
  expect(await second.ended).toBe(1);
  expect(second.error).toMatch(
    new RegExp(`^The database in .* is in use by process ${first.child.pid} .*\\n$`),
  );

  expect(await first.stop()).toBe(0);
  const logged = () => readFileSync(join(dataDir, 'logs/server.log'), 'utf8');
  expect(logged()).toContain('/api/authenticate');
  expect(logged()).not.toContain(password);

  const key = join(dataDir, 'secret.key');
  expect(logged()).not.toContain(key);
  chmodSync(key, 0o644);
  const again = start({ DATA_DIR: dataDir });
  await again.ready();
  expect(openToOthers()).toEqual([]);
  expect(logged()).toContain(key);
  expect(await again.stop()).toBe(0);
  expect(again.error).toBe('');
});

test('says in one sentence why it cannot start, with exit code 1', async () => {
  writeFileSync(join(folder, 'file'), '');
  const ended = async (environment: Record<string, string>) => {
    const service = start(environment);
    return [await service.ended, service.error];
  };
  // config.test.ts has the sentences about single variables.
  const replies = await Promise.all([
    ended({ DATA_DIR: join(folder, 'file'), PORT: 'http' }),
    ended({ DATA_DIR: join(folder, 'file') }),
    ended({ DATA_DIR: join(folder, 'worker'), ROLE: 'worker' }),
  ]);
  expect(replies).toEqual([
    [1, 'PORT must be a whole number from 0 to 65535.\n'],
    [1, expect.stringMatching(/^DATA_DIR .*file cannot be used: .*\n$/)],
    [
      1,
      'ROLE=worker needs DATABASE_URL: the embedded database serves one process only, which must use ROLE=all.\n',
    ],
  ]);
});
