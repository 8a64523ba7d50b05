/** Starts and stops the service as a process, as an administrator does. */
import { type ChildProcess, spawn } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test, vi } from 'vitest';

const main = fileURLToPath(new URL('../main.ts', import.meta.url));
// Each start creates a cluster: on a busy machine several take more than a minute.
vi.setConfig({ testTimeout: 300_000 });

const folder = mkdtempSync(join(tmpdir(), 'main-'));
const running: ChildProcess[] = [];

afterAll(() => {
  for (const child of running) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

class Started {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  out = '';
  error = '';

  constructor(environment: Record<string, string>) {
    this.child = spawn(process.execPath, [main], {
      cwd: folder,
      env: { PATH: process.env['PATH'], PORT: '0', ...environment },
    });
    running.push(this.child);
    this.child.stdout?.on('data', (chunk: Buffer) => (this.out += chunk.toString()));
    this.child.stderr?.on('data', (chunk: Buffer) => (this.error += chunk.toString()));
    this.ended = new Promise((resolve) => this.child.once('exit', resolve));
  }

  /** Returns the address of the service. */
  async ready(): Promise<string> {
    for (;;) {
      const url = /^Patch Repository is ready at (\S+)$/m.exec(this.out)?.[1];
      if (url !== undefined) return url;
      if (this.child.exitCode !== null) throw new Error(`It ended: ${this.error}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async stop(): Promise<number | null> {
    this.child.kill('SIGTERM');
    return this.ended;
  }
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
  const failed = new Started({ PORT: String(port), DATA_DIR: dataDir });
  expect([await failed.ended, failed.error]).toEqual([
    1,
    `Port ${port} on 127.0.0.1 is in use by another program. Stop that program, or set PORT to a free port.\n`,
  ]);
  other.close();
  // The failed start introduced the administrator too, before anything else can fail.
  const password = /^First administrator: user admin, password (\S+) /m.exec(failed.out)?.[1] ?? '';

  const first = new Started({ DATA_DIR: dataDir });
  const url = await first.ready();
  expect(first.out).not.toContain('First administrator');
  expect(openToOthers()).toEqual([]);
  expect(await (await fetch(`${url}/api/health`)).json()).toMatchObject({
    status: 'ready',
    database: 'embedded',
  });
  const signedIn = await fetch(`${url}/api/authenticate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password }),
  });
  expect(await signedIn.json()).toMatchObject({
    user: { userType: 'Admin', mustChangePassword: true },
  });

  const second = new Started({ DATA_DIR: dataDir });
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
  const again = new Started({ DATA_DIR: dataDir });
  await again.ready();
  expect(openToOthers()).toEqual([]);
  expect(logged()).toContain(key);
  expect(await again.stop()).toBe(0);
  expect(again.error).toBe('');
});

test('says in one sentence why it cannot start, with exit code 1', async () => {
  writeFileSync(join(folder, 'file'), '');
  const ended = async (environment: Record<string, string>) => {
    const service = new Started(environment);
    return [await service.ended, service.error];
  };
  expect(await ended({ PORT: 'http', ROLE: 'boss' })).toEqual([
    1,
    'PORT must be a whole number from 0 to 65535. ROLE must be one of all, web, worker.\n',
  ]);
  expect(await ended({ DATA_DIR: join(folder, 'file') })).toEqual([
    1,
    expect.stringMatching(/^DATA_DIR .*file cannot be used: .*\n$/),
  ]);
  expect(await ended({ ROLE: 'worker', DATA_DIR: join(folder, 'worker') })).toEqual([
    1,
    'ROLE=worker needs DATABASE_URL: the embedded database serves one process only, which must use ROLE=all.\n',
  ]);
});
