/** Sends log lines from a thread to its owner, which writes them. */
import { inspect } from 'node:util';
import type { Log } from '../logging/logging.ts';

type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export interface LogLine {
  readonly level: LogLevel;
  readonly words: string;
  readonly facts: object;
}

/** Fields of a line. Of `err` only the stack is sent, since a driver's error refers to its connection. */

type LogFacts = Readonly<Record<string, unknown>> & { readonly err?: unknown };

export type ThreadLog = (level: LogLevel, words: string, facts?: LogFacts) => void;

export function threadLog(send: (line: LogLine) => void): ThreadLog {
  return (level, words, { err, ...facts } = {}) =>
    send({
      level,
      words,
      facts: err === undefined ? facts : { ...facts, detail: toErrorText(err) },
    });
}

export const writeLogLine = (log: Pick<Log, LogLevel>, { level, words, facts }: LogLine): void =>
  log[level](facts, words);

const toErrorText = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : inspect(error);
