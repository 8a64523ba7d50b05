/** Starts the real product and the feed mirror, each as a process of its own. */
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

export const startMirror = (): Promise<Running> =>
  start([join(mirror, 'serve.mjs'), '--port', '0'], {}, /^(http:\S+)/);

/** Starts the server with an embedded database in DATA_DIR. */
export const startProduct = (environment: Readonly<Record<string, string>>): Promise<Running> =>
  start(
    [join(root, 'server', 'main.ts')],
    {
      PORT: '0',
      HOST: '127.0.0.1',
      ADMIN_EMAIL: administrator.username,
      ADMIN_PASSWORD: administrator.password,
      DATABASE_URL: '',
      MAIL_TARGETS: 'localhost,127.0.0.1',
      ...environment,
    },
    /(http:\/\/127\.0\.0\.1:\d+)/,
  );

/** Resolves with the first match on the standard output. */
async function start(
  program: readonly string[],
  environment: Readonly<Record<string, string>>,
  address: RegExp,
): Promise<Running> {
  const child = spawn(process.execPath, program, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...environment },
  });
  const output: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const url = address.exec(line)?.[1];
    if (url !== undefined) {
      child.stdout.resume();
      return { url, stop: () => stop(child) };
    }
    output.push(line);
  }
  throw new Error(`The program ended before it was ready:\n${output.join('\n')}`);
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
}
