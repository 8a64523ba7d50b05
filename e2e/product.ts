/** The real product for a walk: real server, embedded database in a folder of its own, vendors answered by the feed mirror. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test as base } from '@playwright/test';

const root = join(import.meta.dirname, '..');
export const mirror = join(root, '..', 'shared', 'feed-mirror');

export const administrator = { username: 'admin@example.org', password: 'Walk-the-product-1' };

/** Starts a program and answers the first line on its standard output that the pattern matches. */
async function started(child: ChildProcess, pattern: RegExp): Promise<string> {
  if (child.stdout === null) throw new Error('The program has no standard output');
  const said: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const found = pattern.exec(line)?.[1];
    if (found !== undefined) {
      child.stdout.resume();
      return found;
    }
    said.push(line);
  }
  throw new Error(`The program ended before it was ready:\n${said.join('\n')}`);
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await gone;
}

export const test = base.extend<
  object,
  { readonly productOf: string; readonly productUrl: string }
>({
  // Files that name another product get one with an empty database of its own, because a changed worker option starts a new worker.
  productOf: ['every walk', { option: true, scope: 'worker' }],
  productUrl: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures out of the pattern
    async ({}, use) => {
      if (!existsSync(mirror)) {
        if (process.env['CI'] === 'true' && process.env['WITHOUT_FEED_MIRROR'] !== 'true')
          throw new Error(
            'The browser tests need ../shared/feed-mirror, and in CI it must be there unless WITHOUT_FEED_MIRROR=true.',
          );
        base.skip(true, 'needs ../shared/feed-mirror beside the project');
      }
      const vendors = spawn(process.execPath, [join(mirror, 'serve.mjs'), '--port', '0'], {
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      const feedMirror = await started(vendors, /^(http:\S+)/);
      const dataDir = await mkdtemp(join(tmpdir(), 'patch-repository-walk-'));
      const server = spawn(process.execPath, [join(root, 'server', 'main.ts')], {
        cwd: root,
        stdio: ['ignore', 'pipe', 'inherit'],
        env: {
          ...process.env,
          PORT: '0',
          HOST: '127.0.0.1',
          DATA_DIR: dataDir,
          FEED_MIRROR: feedMirror,
          ADMIN_EMAIL: administrator.username,
          ADMIN_PASSWORD: administrator.password,
          DATABASE_URL: '',
          MAIL_TARGETS: 'localhost,127.0.0.1',
        },
      });
      try {
        await use(await started(server, /(http:\/\/127\.0\.0\.1:\d+)/));
      } finally {
        await ended(server);
        await ended(vendors);
        await rm(dataDir, { recursive: true, force: true });
      }
    },
    { scope: 'worker', timeout: 240_000 },
  ],
  baseURL: async ({ productUrl }, use) => {
    await use(productUrl);
  },
});

export { expect } from '@playwright/test';
