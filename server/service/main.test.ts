/** The service as a process, as an administrator starts and stops it. */
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
import { afterAll, describe, expect, test, vi } from 'vitest';

const main = fileURLToPath(new URL('../main.ts', import.meta.url));
// Each start makes a cluster: on a busy machine several take more than a minute.
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

  /** The address it answers at. */
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

describe('on the embedded database', () => {
  const dataDir = join(folder, 'data');

  test('starts, introduces the administrator, serves, stops, and starts again', async () => {
    const first = new Started({ DATA_DIR: dataDir });
    const url = await first.ready();
    const password =
      /^First administrator: user admin, password (\S+) /m.exec(first.out)?.[1] ?? '';
    expect(first.out.indexOf('First administrator')).toBeLessThan(
      first.out.indexOf('Patch Repository is ready'),
    );
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
    const logged = readFileSync(join(dataDir, 'logs/server.log'), 'utf8');
    expect(logged).toContain('/api/authenticate');
    expect(logged).not.toContain(password);

    const again = new Started({ DATA_DIR: dataDir });
    await again.ready();
    expect(again.out).not.toContain('First administrator');
    expect(await again.stop()).toBe(0);
    expect(again.error).toBe('');
  });
});

test('keeps DATA_DIR to its own account, and says so when it was open to others', async () => {
  const dataDir = join(folder, 'private');
  mkdirSync(dataDir, { mode: 0o755 });
  const first = new Started({ DATA_DIR: dataDir });
  await first.ready();
  const openToOthers = () =>
    ['.', ...readdirSync(dataDir, { recursive: true, encoding: 'utf8' })].filter((path) => {
      const info = statSync(join(dataDir, path), { throwIfNoEntry: false });
      // An account of PostgreSQL's own passes through the folder where root starts the service.
      const others = path === '.' && process.getuid?.() === 0 ? 0o066 : 0o077;
      return ((info?.mode ?? 0) & others) !== 0;
    });
  expect(openToOthers()).toEqual([]);
  expect(await first.stop()).toBe(0);
  chmodSync(join(dataDir, 'secret.key'), 0o644);
  const second = new Started({ DATA_DIR: dataDir });
  await second.ready();
  expect(openToOthers()).toEqual([]);
  await second.stop();
  expect(readFileSync(join(dataDir, 'logs/server.log'), 'utf8')).toContain(
    join(dataDir, 'secret.key'),
  );
});

describe('what keeps it from starting is one sentence and exit code 1', () => {
  test('a variable that is not as it must be', async () => {
    const service = new Started({ PORT: 'http', ROLE: 'boss' });
    expect([await service.ended, service.error]).toEqual([
      1,
      'PORT must be a whole number from 0 to 65535. ROLE must be one of all, web, worker.\n',
    ]);
  });

  test('a port in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as AddressInfo;
    const service = new Started({ PORT: String(port), DATA_DIR: join(folder, 'in-use') });
    expect([await service.ended, service.error]).toEqual([
      1,
      `Port ${port} on 127.0.0.1 is in use by another program. Stop that one, or set PORT to a free port.\n`,
    ]);
    // Told although the start failed: it is told once.
    expect(service.out).toContain('First administrator');
    other.close();
  });

  test('a DATA_DIR that is a file', async () => {
    writeFileSync(join(folder, 'file'), '');
    const service = new Started({ DATA_DIR: join(folder, 'file') });
    expect(await service.ended).toBe(1);
    expect(service.error).toMatch(/^DATA_DIR .*file cannot be used: .*\n$/);
  });

  test('a role that the embedded database cannot share', async () => {
    const service = new Started({ ROLE: 'worker', DATA_DIR: join(folder, 'worker') });
    expect([await service.ended, service.error]).toEqual([
      1,
      'ROLE=worker needs DATABASE_URL: the embedded database is for one process, which must do all.\n',
    ]);
  });
});
