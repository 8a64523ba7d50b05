/** The service's log: one line of JSON per event, on stdout and in DATA_DIR/logs. It never contains a token or a password. */

import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import {
  type DestinationStream,
  type Level,
  type Logger,
  multistream,
  pino,
  stdTimeFunctions,
} from 'pino';

export type Log = Logger;

interface LoggedError {
  readonly type: string;
  readonly message: string;
  readonly code?: unknown;
  readonly stack?: string;
  readonly cause?: LoggedError;
}

/** Copies known properties only: a database error also carries the statement's parameters, which include secrets. */
function loggedError(error: unknown): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) };
  const { code } = error as { readonly code?: unknown };
  return {
    type: error.name,
    message: error.message,
    ...(code !== undefined && { code }),
    ...(error.stack !== undefined && { stack: error.stack }),
    ...(error.cause !== undefined && { cause: loggedError(error.cause) }),
  };
}

export function createLog(level: Level | 'silent', destination: DestinationStream): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: loggedError },
    },
    destination,
  );
}

/** Returns the destination of the running service. */
export function stdoutAndFile(dataDir: string, level: Level | 'silent'): DestinationStream {
  if (level === 'silent') return { write() {} };
  return multistream([
    { level, stream: pino.destination({ fd: 1, sync: true }) },
    { level, stream: openRotatedFile(join(dataDir, 'logs'), 'server.log') },
  ]);
}

interface RotatedFile {
  write(line: string): void;
  close(): void;
}

/**
 * Opens a log file that never fills the disk: at 10 MB it becomes server.log.1, the previous one server.log.2, and so on; the fifth is
 * removed. It is written synchronously, so that no line before a crash is lost.
 */
export function openRotatedFile(
  folder: string,
  name: string,
  limits = { bytes: 10 * 1024 * 1024, files: 5 },
): RotatedFile {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, name);
  let file = openSync(path, 'a');
  let size = fstatSync(file).size;

  function reopen() {
    closeSync(file);
    file = openSync(path, 'a');
    size = fstatSync(file).size;
  }

  function rotate() {
    // When another process has rotated the same file already, this one only reopens it.
    if (isStillAt(file, path))
      for (let index = limits.files - 1; index >= 1; index--) shiftFile(path, index);
    reopen();
  }

  return {
    write(line) {
      const bytes = Buffer.from(line);
      try {
        if (size > 0 && size + bytes.length > limits.bytes) rotate();
        writeSync(file, bytes);
        size += bytes.length;
      } catch {
        // A full disk must not stop the service; stdout has the line.
      }
    },
    close() {
      closeSync(file);
    },
  };
}

/** Renames the file with the previous number to this number; number 1 follows the current file. */
function shiftFile(path: string, index: number): void {
  const from = index === 1 ? path : `${path}.${index - 1}`;
  if (statSync(from, { throwIfNoEntry: false }) !== undefined) renameSync(from, `${path}.${index}`);
}

function isStillAt(file: number, path: string): boolean {
  const here = fstatSync(file);
  const there = statSync(path, { throwIfNoEntry: false });
  return there !== undefined && there.ino === here.ino && there.dev === here.dev;
}
