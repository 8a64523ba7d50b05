/** The feed mirror beside this repository, for tests with real vendor documents. They are skipped when it is absent. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describeWithShared, sharedFolder } from '@patch/catalogue/testing/shared-folder.ts';

const folder = fileURLToPath(sharedFolder('feed-mirror')).replace(/[\\/]$/, '');

/** The folder of the mirror; null if absent. */
export const feedMirror: string | null = existsSync(`${folder}/serve.mjs`) ? folder : null;

/** Adds a describe block that needs the mirror. */
export function describeWithMirror(name: string, body: (mirror: string) => void): void {
  describeWithShared('feed-mirror')(name, () => {
    body(feedMirror ?? '');
  });
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

/** Starts the mirror's server on a free port. `root` replaces its folder; files in `overlay` take precedence. */
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
  // The mirror must not keep the process of a failing test alive.
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
