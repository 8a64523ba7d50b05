/** The service's log: one line of JSON per event, on stdout and in DATA_DIR/logs. It never contains a token or a password. */
import { join } from 'node:path';
import {
  type DestinationStream,
  type Level,
  type Logger,
  multistream,
  pino,
  stdTimeFunctions,
} from 'pino';
import { openRotatedFile } from './logging-rotated-file.ts';

export type Log = Logger;

interface LoggedError {
  readonly type: string;
  readonly message: string;
  readonly code?: unknown;
  readonly stack?: string;
  readonly cause?: LoggedError;
}

/** Copies known properties only: a database error also carries the statement's parameters, which include secrets. */
export function loggedError(error: unknown): LoggedError {
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
