/**
 * A temporary PostgreSQL server for tests, from installed binaries: never the system's own cluster, and nothing is left behind.
 * Binaries are searched in PATH and in Debian's folder; on a machine without, `apt-get install postgresql` installs
 * them (`create_main_cluster = false` in /etc/postgresql-common/createcluster.conf keeps it from starting a cluster).
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';

export interface Cluster {
  /** Address of its maintenance database, as a superuser without a password. */
  readonly url: string;
  /** Stops it as in a power failure; committed data is recovered. */
  goAway(): Promise<void>;
  /** Starts it again at the same address. */
  comeBack(): Promise<void>;
  stop(): Promise<void>;
}

const run = promisify(execFile);

/** The newest; null when no PostgreSQL server is installed. */
export function findBinaries(): string | null {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian)
    ? readdirSync(debian).toSorted((a, b) => Number(b) - Number(a))
    : [];
  const folders = [
    ...(process.env['PATH'] ?? '').split(delimiter),
    ...versions.map((version) => join(debian, version, 'bin')),
  ];
  return (
    folders.find(
      (folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')),
    ) ?? null
  );
}

export async function startCluster(
  binaries: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Cluster> {
  const owner = unprivilegedUser();
  const as = owner ?? {};
  const root = await mkdtemp(join(tmpdir(), 'patch-postgres-'));
  if (owner !== null) await chown(root, owner.uid, owner.gid);
  const folder = join(root, 'cluster');
  const environment = { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8', HOME: root };
  await run(
    join(binaries, 'initdb'),
    ['-D', folder, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'],
    {
      ...as,
      cwd: root,
      env: environment,
    },
  );
  const port = await freePort();
  const all = {
    fsync: 'off',
    full_page_writes: 'off',
    synchronous_commit: 'off',
    max_connections: '60',
    ...settings,
  };
  const options = ['-D', folder, '-h', '127.0.0.1', '-p', String(port), '-k', ''];
  const chosen = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const launch = () =>
    spawn(join(binaries, 'postgres'), [...options, ...chosen], {
      ...as,
      cwd: root,
      env: environment,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  let server = launch();
  const stop = async () => {
    await stopped(server);
    await rm(root, { recursive: true, force: true });
  };
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  try {
    await ready(server, url);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url,
    goAway: () => stopped(server),
    async comeBack() {
      server = launch();
      await ready(server, url);
    },
    stop,
  };
}

/** PostgreSQL refuses to run as root. Null: this process is not root. */
function unprivilegedUser(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const user =
    users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody');
  if (user === undefined)
    throw new Error('There is no unprivileged user to run PostgreSQL as (postgres or nobody)');
  return { uid: Number(user[2]), gid: Number(user[3]) };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        resolve(typeof address === 'object' && address !== null ? address.port : 0),
      );
    });
  });
}

async function ready(server: ChildProcess, url: string): Promise<void> {
  let said = '';
  server.stderr?.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-4000);
  });
  for (const deadline = Date.now() + 30_000; Date.now() < deadline; await after(50)) {
    if (server.exitCode !== null) throw new Error(`PostgreSQL did not start:\n${said}`);
    const client = new Client({ connectionString: url });
    try {
      await client.connect();
      await client.end();
      return;
    } catch {
      // Not yet ready.
    }
  }
  throw new Error(`PostgreSQL did not start within 30 s:\n${said}`);
}

async function stopped(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = new Promise((resolve) => server.once('exit', resolve));
  // Immediate shutdown: does not wait for connections.
  server.kill('SIGQUIT');
  await ended;
}
