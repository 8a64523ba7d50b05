/**
 * Stops PostgreSQL when its service was killed: a small shell reads from a pipe whose only writer is the service, and the kernel closes
 * the pipe with the service, however that ends. Without /bin/sh, as on Windows, the next start on the folder stops the server.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Writable } from 'node:stream';
import type { Command } from './postgres-account.ts';

const shell = '/bin/sh';

/** Seconds until the next, harder signal, and after the last one. */
const defaultWaits = [10, 5, 5] as const;

type Waits = readonly [fast: number, immediate: number, killed: number];

/**
 * Recognizes the server by its process id and start time, since another process, such as the server of a service that took the folder
 * over, may have its id by then. Does nothing where neither /proc nor ps has the start time. Only sleep and ps are programs.
 */
const script = ([fast, immediate, killed]: Waits) => `
trap '' HUP INT TERM
read_start() {
  start=
  if [ -d /proc/self ]; then
    [ -r "/proc/$1/stat" ] && read -r line <"/proc/$1/stat" || return 0
    set -- \${line##*) }
    [ "$1" = Z ] || start=\${20}
  else
    start=$(ps -o lstart= -p "$1")
  fi
}
read -r pid || exit 0
read_start "$pid"
own=$start
while read -r rest; do :; done
set -- INT ${fast} QUIT ${immediate} KILL ${killed}
while [ $# -gt 0 ]; do
  read_start "$pid"
  [ -n "$own" ] && [ "$start" = "$own" ] || exit 0
  kill -s "$1" "$pid"
  seconds=$2
  shift 2
  while [ "$seconds" -gt 0 ] && [ "$start" = "$own" ]; do
    sleep 1
    seconds=$((seconds - 1))
    read_start "$pid"
  done
done`;

/** Sends its process id to the guard before it becomes the server, so that no moment of a start is unguarded. */
const launcher = `trap '' PIPE; echo $$ >&3; trap - PIPE; exec "$@" 3>&-`;

export interface ServerGuard {
  /** Returns the command that tells the guard its process id, and then runs the command under the same id. */
  wrap(command: Command): Command;
  /** The write end of the pipe, for descriptor 3 of the wrapped command. */
  readonly pipe: Writable;
  /** Ends the guard. It stops a server that still runs. */
  close(): void;
}

/** Starts a guard of one server. Returns null when the platform has no shell. */
export function startGuard(waits: Waits = defaultWaits): ServerGuard | null {
  if (process.platform === 'win32' || !existsSync(shell)) return null;
  const guard: ChildProcess = spawn(shell, ['-c', script(waits), 'guard-of-postgres'], {
    // Outside the process group of the service, which a terminal or a kill of the group ends.
    detached: true,
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: process.env['PATH'] ?? '' },
  });
  const pipe = guard.stdin as Writable & { unref?(): void };
  // The guard may have been killed; the server then runs without it.
  for (const part of [guard, pipe]) part.on('error', () => undefined);
  guard.unref();
  pipe.unref?.();
  return {
    pipe,
    wrap: ({ program, args, ...as }) => ({
      program: shell,
      args: ['-c', launcher, 'postgres', program, ...args],
      ...as,
    }),
    close: () => void pipe.destroy(),
  };
}
