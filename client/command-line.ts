/** Parses the options that the client's commands share: arguments, the repository's address, and retries. */
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { ClientFailure } from './client-failure.ts';
import { parseInteger } from './parse-integer.ts';

/** Retries of requests to the repository. */
export interface Retries {
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
 * Returns the repository's address without a trailing slash. Throws a ClientFailure on anything but an http(s) address.
 * @param source the option that the error names.
 */
export function serverAddress(given: string | undefined, source = '--server'): string {
  if (given === undefined || !URL.canParse(given) || !/^https?:$/.test(new URL(given).protocol))
    throw new ClientFailure(
      'usage',
      `${source} must be the http(s) address of the repository: https://patch.example.org`,
    );
  return given.replace(/\/+$/, '');
}

/** Throws a ClientFailure that names the option and the allowed values. */
export function readRetries(given: {
  readonly tries: string;
  readonly 'retry-after-ms': string;
}): Retries {
  return {
    tries: parseInteger('--tries', given.tries, 1, 100),
    retryAfterMs: parseInteger('--retry-after-ms', given['retry-after-ms'], 1, 3_600_000),
  };
}
