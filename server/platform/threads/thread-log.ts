/** Lines that a thread sends to its owner, which writes them into the log. */
import { inspect } from 'node:util';
import type { Log } from '../logging/logging.ts';

type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export interface LogLine {
  readonly level: LogLevel;
  readonly words: string;
  readonly facts: object;
}

/** What a line is about; `err` is sent as its stack alone, since a driver's error carries its whole connection along. */
type LogFacts = Readonly<Record<string, unknown>> & { readonly err?: unknown };

export type ThreadLog = (level: LogLevel, words: string, facts?: LogFacts) => void;

export function threadLog(send: (line: LogLine) => void): ThreadLog {
  return (level, words, { err, ...facts } = {}) =>
    send({
      level,
      words,
      facts: err === undefined ? facts : { ...facts, detail: errorText(err) },
    });
}

export const writeLogLine = (log: Pick<Log, LogLevel>, { level, words, facts }: LogLine): void =>
  log[level](facts, words);

const errorText = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : inspect(error);
