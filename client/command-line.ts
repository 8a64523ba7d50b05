/** Reads what the client's verbs have in common on their command lines: arguments, the repository's address, and tries. */
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { ClientFailure } from './client-failure.ts';
import { wholeNumber } from './whole-number.ts';

/** Of requests to the repository. */
export interface Retries {
  /** Of one request, before it is given up. */
  readonly tries: number;
  /** Before the second try; doubled for each after it. */
  readonly retryAfterMs: number;
}

/** The options that every verb takes. */
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
 * Returns the repository's address without a slash at its end.
 * `source` names where it comes from for the ClientFailure that is thrown on anything but an http(s) address.
 */
export function serverAddress(given: string | undefined, source = '--server'): string {
  if (given === undefined || !URL.canParse(given) || !/^https?:$/.test(new URL(given).protocol))
    throw new ClientFailure(
      'usage',
      `${source} must be the http(s) address of the repository: https://patch.example.org`,
    );
  return given.replace(/\/+$/, '');
}

/** Throws a ClientFailure that names the option and what it may be. */
export function readRetries(given: {
  readonly tries: string;
  readonly 'retry-after-ms': string;
}): Retries {
  return {
    tries: wholeNumber('--tries', given.tries, 1, 100),
    retryAfterMs: wholeNumber('--retry-after-ms', given['retry-after-ms'], 1, 3_600_000),
  };
}
