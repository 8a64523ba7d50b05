/** Stops a PostgreSQL server that survived the kill of its service. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { type PostgresBinaries, programPath } from './postgres-binaries.ts';

export interface Leftover {
  readonly pid: number | null;
  readonly socketFolder: string | null;
}

const fastShutdownMs = 20_000;
const immediateShutdownMs = 5_000;

/** Returns the process id in the file of the server that owns the data folder; null when no server does. */
export function readPostmasterId(data: string): number | null {
  const pid = Number(readFile(data)?.split('\n')[0]);
  return Number.isInteger(pid) && pid > 1 ? pid : null;
}

/**
 * The caller must own the lock on DATA_DIR, so that no other service can own the server.
 * Removes a file with the process id of another program or with none, at which PostgreSQL would not start. PostgreSQL itself replaces
 * the file of a dead server, which a server that is starting may be replacing now.
 * @returns the id of the stopped process and the folder of its socket; null for either that did not exist.
 */
export async function stopLeftover(data: string, binaries: PostgresBinaries): Promise<Leftover> {
  const content = readFile(data);
  if (content === null) return { pid: null, socketFolder: null };
  const pid = readPostmasterId(data);
  const isOurs = pid !== null && isPostmaster(pid, data);
  if (isOurs) {
    await stopPostmaster(
      (name) => signalPostmaster(binaries, pid, name),
      () => !isPostmaster(pid, data),
    );
  } else if (pid === null || isRunning(pid)) rmSync(postmasterFile(data), { force: true });
  const sockets = content.split('\n')[4] ?? '';
  // A killed server leaves its socket, with a process id that another process may have by now.
  for (const name of sockets === '' ? [] : readNames(sockets))
    if (name.startsWith('.s.PGSQL.')) rmSync(join(sockets, name), { force: true });
  return { pid: isOurs ? pid : null, socketFolder: sockets === '' ? null : sockets };
}

const postmasterFile = (data: string) => join(data, 'postmaster.pid');

function readFile(data: string): string | null {
  try {
    return readFileSync(postmasterFile(data), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function readNames(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}

/** Requests a fast shutdown, then an immediate one, and kills the process when both take too long. */
export async function stopPostmaster(
  signal: (name: NodeJS.Signals) => void,
  hasEnded: () => boolean,
): Promise<void> {
  for (const [name, waitMs] of [
    ['SIGINT', fastShutdownMs],
    ['SIGQUIT', immediateShutdownMs],
    ['SIGKILL', immediateShutdownMs],
  ] as const) {
    signal(name);
    for (const deadline = performance.now() + waitMs; performance.now() < deadline; await after(20))
      if (hasEnded()) return;
  }
}

/** Sends a signal. Windows has none: there PostgreSQL's own program sends it through a pipe. */
export function signalPostmaster(
  binaries: PostgresBinaries,
  pid: number,
  name: NodeJS.Signals,
): void {
  if (process.platform === 'win32') {
    const args = ['kill', name.replace('SIG', ''), String(pid)];
    spawnSync(programPath(binaries, 'pg_ctl'), args, { windowsHide: true });
    return;
  }
  try {
    process.kill(pid, name);
  } catch {
    // It has ended meanwhile.
  }
}

/** Returns true for a running server of this data folder, never for another program with its process id. */
function isPostmaster(pid: number, data: string): boolean {
  try {
    return isRunning(pid) && commandLine(pid).includes(data);
  } catch {
    return false;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function commandLine(pid: number): string {
  if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  const [program, ...args] =
    process.platform === 'win32'
      ? [
          'powershell',
          '-NoProfile',
          '-Command',
          `(Get-CimInstance Win32_Process -Filter "ProcessId=${pid}").CommandLine`,
        ]
      : ['ps', '-p', String(pid), '-o', 'command='];
  return spawnSync(program as string, args, { encoding: 'utf8' }).stdout;
}
