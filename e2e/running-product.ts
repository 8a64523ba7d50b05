/** Starts the real product as a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export const root = join(import.meta.dirname, '..');
export const mirror = join(root, '..', 'shared', 'feed-mirror');

export const administrator = { username: 'admin@example.org', password: 'Walk-the-product-1' };

export interface Running {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** Starts the server with an embedded database in DATA_DIR, and resolves when it prints its address. */
export async function startProduct(
  environment: Readonly<Record<string, string>>,
): Promise<Running> {
  const child = spawn(process.execPath, [join(root, 'server', 'main.ts')], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      PORT: '0',
      HOST: '127.0.0.1',
      ADMIN_EMAIL: administrator.username,
      ADMIN_PASSWORD: administrator.password,
      DATABASE_URL: '',
      MAIL_TARGETS: 'localhost,127.0.0.1',
      CHANNEL_TARGETS: '127.0.0.1',
      ...environment,
    },
  });
  const output: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /(http:\/\/127\.0\.0\.1:\d+)/.exec(line)?.[1];
    if (url !== undefined) {
      child.stdout.resume();
      return { url, stop: () => stop(child) };
    }
    output.push(line);
  }
  throw new Error(`The product ended before it was ready:\n${output.join('\n')}`);
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
}
