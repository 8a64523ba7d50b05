/** Stops a PostgreSQL server that outlived its service: after a kill its child goes on. */
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

/**
 * Call it with the lock on DATA_DIR: no other service can own the server then.
 * A file that was left by a dead server, or whose number another program has now, is removed.
 * @returns the number of the process that was stopped, and the folder of its socket; null when there was none.
 */
export async function stopLeftover(data: string, binaries: PostgresBinaries): Promise<Leftover> {
  const file = join(data, 'postmaster.pid');
  if (!existsSync(file)) return { pid: null, socketFolder: null };
  const lines = readFileSync(file, 'utf8').split('\n');
  const pid = Number(lines[0]);
  const ours = Number.isInteger(pid) && pid > 1 && isPostmaster(pid, data);
  if (ours) {
    await stopPostmaster(
      (name) => signalPostmaster(binaries, pid, name),
      () => !isPostmaster(pid, data),
    );
  }
  rmSync(file, { force: true });
  const sockets = lines[4] ?? '';
  // A killed server leaves its socket, whose number of a process may be another's by now.
  for (const name of sockets === '' ? [] : readNames(sockets))
    if (name.startsWith('.s.PGSQL.')) rmSync(join(sockets, name), { force: true });
  return { pid: ours ? pid : null, socketFolder: sockets === '' ? null : sockets };
}

function readNames(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}

/** Asks for a fast shutdown, then an immediate one, and ends the process when both take too long. */
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
    for (const until = performance.now() + waitMs; performance.now() < until; await after(20))
      if (hasEnded()) return;
  }
}

/** Windows has no signals: PostgreSQL's own programs pass them through a pipe there. */
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

/** True for a running server of this data folder, never for another program that has got its number. */
function isPostmaster(pid: number, data: string): boolean {
  try {
    process.kill(pid, 0);
    return commandLine(pid).includes(data);
  } catch {
    return false;
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
