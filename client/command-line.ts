/** Parses the options that the client's commands share: arguments, the repository's address, and retries. */
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { ClientFailure } from './client-failure.ts';

/** The call of a command, with its options. */
export interface CommandRun<Options> {
  readonly options: Options;
  readonly input: AsyncIterable<Uint8Array>;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
  readonly complain: (line: string) => void;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** A command of the client. */
export interface Verb<Options> {
  readonly usage: string;
  /** Throws a ClientFailure. */
  readonly readOptions: (args: readonly string[], environment: Environment) => Options | 'help';
  /** Returns the exit code. Throws a ClientFailure. */
  readonly run: (run: CommandRun<Options>) => Promise<number>;
}

/** How to call the repository. */
export interface RepositoryOptions {
  /** The address without a trailing slash. */
  readonly server: string;
  /** Attempts per request before the client gives up. */
  readonly tries: number;
  /** Wait before the second attempt; doubled for each further one. */
  readonly retryAfterMs: number;
}

/** Options of every command. */
export const sharedOptions = {
  server: { type: 'string' },
  tries: { type: 'string', default: '6' },
  'retry-after-ms': { type: 'string', default: '1000' },
  help: { type: 'boolean' },
} as const;

/** Like parseArgs. Throws a ClientFailure on unknown options. */
export function readArguments<const Config extends ParseArgsConfig>(
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new ClientFailure('usage', error instanceof Error ? error.message : String(error), {
      cause: error,
    });
  }
}

/**
 * Throws a ClientFailure that names the option and the allowed values.
 * @param environment may have the address as PATCH_SERVER; absent for a command that does not read it from there.
 */
export function readRepository(
  given: {
    readonly server?: string | undefined;
    readonly tries: string;
    readonly 'retry-after-ms': string;
  },
  environment?: Environment,
): RepositoryOptions {
  const server = given.server ?? environment?.['PATCH_SERVER'];
  if (server === undefined || !URL.canParse(server) || !/^https?:$/.test(new URL(server).protocol))
    throw new ClientFailure(
      'usage',
      `--server${environment === undefined ? '' : ' or PATCH_SERVER'} must be the http(s) address of the repository: https://patch.example.org`,
    );
  return {
    server: server.replace(/\/+$/, ''),
    tries: parseInteger('--tries', given.tries, 1, 100),
    retryAfterMs: parseInteger('--retry-after-ms', given['retry-after-ms'], 1, 3_600_000),
  };
}

/** Throws a ClientFailure that names the option and the allowed values. */
export function parseInteger(option: string, text: string, least: number, most: number): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!(number >= least && number <= most))
    throw new ClientFailure('usage', `${option} must be a whole number from ${least} to ${most}.`);
  return number;
}
