/** The feed mirror beside this repository, for tests that walk real vendor documents; they are passed over where it is absent. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe } from 'vitest';

const folder = fileURLToPath(new URL('../../../shared/feed-mirror', import.meta.url));

/** Its folder; null where there is none. */
export const feedMirror: string | null = existsSync(`${folder}/serve.mjs`) ? folder : null;

/** CI says that everything must run, and not that it has no mirror. */
const mustRun = process.env['CI'] === 'true' && process.env['WITHOUT_FEED_MIRROR'] !== 'true';

/** A describe block that needs the mirror: passed over without it, but an error where CI says that everything must run. */
export function describeWithMirror(name: string, body: (mirror: string) => void): void {
  const absent = feedMirror === null;
  if (absent && mustRun)
    throw new Error(`${name}: the feed mirror is not there (../shared/feed-mirror)`);
  describe.skipIf(absent)(
    `${name}${absent ? ' (passed over: ../shared/feed-mirror is absent)' : ''}`,
    () => {
      body(feedMirror ?? '');
    },
  );
}

export interface Fault {
  /** A regular expression over `<host>/<path>?<query>`. */
  readonly match: string;
  readonly kind: 'status' | 'truncate' | 'stall' | 'reset' | 'corrupt' | 'slow';
  readonly value?: number | { readonly status: number; readonly retryAfter?: number };
  readonly times?: number;
}

export interface MirrorRequests {
  readonly [address: string]: {
    readonly total: number;
    readonly bytes: number;
    readonly status: { readonly [status: string]: number };
  };
}

export interface RunningMirror {
  readonly url: string;
  /** Replaces the fault rules. */
  fail(...faults: readonly Fault[]): Promise<void>;
  requests(): Promise<MirrorRequests>;
  forgetRequests(): Promise<void>;
  stop(): Promise<void>;
}

/** The mirror's own server on a free port. `root` takes the place of its folder, `overlay` lies above it. */
export async function startFeedMirror(
  options: { readonly root?: string; readonly overlay?: string } = {},
): Promise<RunningMirror> {
  const given = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  const server = spawn(
    process.execPath,
    ['--no-warnings', `${folder}/serve.mjs`, '--port', '0', ...given],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const url = await firstLine(server);
  // A test that fails before it stops the mirror ends all the same.
  server.unref();
  (server.stdout as unknown as { unref(): void }).unref();
  const control = async (path: string, init?: RequestInit) =>
    (await fetch(`${url}/-/${path}`, init)).json();
  return {
    url,
    fail: async (...faults) =>
      void (await control('faults', { method: 'PUT', body: JSON.stringify(faults) })),
    requests: async () => (await control('requests')) as MirrorRequests,
    forgetRequests: async () => void (await control('requests', { method: 'DELETE' })),
    stop: () =>
      new Promise((resolve) => {
        server.ref();
        server.once('exit', () => resolve());
        server.kill();
      }),
  };
}

function firstLine(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    server.stdout?.on('data', (piece: Buffer) => {
      output += piece.toString();
      if (output.includes('\n')) resolve(output.slice(0, output.indexOf('\n')));
    });
    server.once('exit', (code) => reject(new Error(`the feed mirror ended with ${code}`)));
  });
}
