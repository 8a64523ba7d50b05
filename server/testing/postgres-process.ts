/** Runs a PostgreSQL server as a process of a test, in an existing data folder. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { freePort } from '../platform/postgres/postgres-access.ts';
import { postgresAccount } from '../platform/postgres/postgres-account.ts';

/** The folder of the programs, and the folder in which they may write. */
export interface ServerLocation {
  readonly binaries: string;
  readonly root: string;
}

export interface RunningServer {
  /** Address of its maintenance database, as a superuser without a password. */
  readonly url: string;
  /** Stops the server like a power failure; committed data is recovered. */
  goAway(): Promise<void>;
  /** Restarts the server at the same address. */
  comeBack(): Promise<void>;
}

const execute = promisify(execFile);

function processOptions(root: string) {
  const account = postgresAccount();
  return {
    ...(account !== null && { uid: account.uid, gid: account.gid }),
    cwd: root,
    env: { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8', HOME: root },
  };
}

export async function runProgram(
  { binaries, root }: ServerLocation,
  program: string,
  args: readonly string[],
): Promise<void> {
  await execute(join(binaries, program), [...args], processOptions(root));
}

/** Resolves when the server answers. Stops it and rejects when it does not within 30 seconds. */
export async function startServer(
  { binaries, root }: ServerLocation,
  folder: string,
  settings: Readonly<Record<string, string>>,
): Promise<RunningServer> {
  const port = await freePort();
  const options = ['-D', folder, '-h', '127.0.0.1', '-p', String(port), '-k', ''];
  const chosen = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const launch = () =>
    spawn(join(binaries, 'postgres'), [...options, ...chosen], {
      ...processOptions(root),
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  let server = launch();
  try {
    await waitUntilReady(server, url);
  } catch (error) {
    await stopServer(server);
    throw error;
  }
  return {
    url,
    goAway: () => stopServer(server),
    async comeBack() {
      server = launch();
      await waitUntilReady(server, url);
    },
  };
}

async function waitUntilReady(server: ChildProcess, url: string): Promise<void> {
  let output = '';
  server.stderr?.on('data', (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-4000);
  });
  for (const deadline = Date.now() + 30_000; Date.now() < deadline; await after(50)) {
    if (server.exitCode !== null) throw new Error(`PostgreSQL did not start:\n${output}`);
    const client = new Client({ connectionString: url });
    try {
      await client.connect();
      await client.end();
      return;
    } catch {
      // Not yet ready.
    }
  }
  throw new Error(`PostgreSQL did not start within 30 s:\n${output}`);
}

async function stopServer(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = new Promise((resolve) => server.once('exit', resolve));
  // Immediate shutdown: does not wait for connections.
  server.kill('SIGQUIT');
  await ended;
}
