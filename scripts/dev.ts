/**
 * `npm run dev`: the server restarts when one of its files changes, and the console reloads in the browser. The vendors are the feed
 * mirror beside the project where there is one. DATA_DIR is ./.cache/dev-data unless it is set, so that `npm start` keeps its own.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, type FSWatcher, watch } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const mirror = join(root, '..', 'shared', 'feed-mirror', 'serve.mjs');
const hasMirror = existsSync(mirror) && process.env['FEED_MIRROR'] === undefined;
const children: ChildProcess[] = [];
const watchers: FSWatcher[] = [];
let server: ChildProcess | undefined;
let stopping = false;

/** Ends everything when one of them ends: half a development server misleads. */
function start(args: readonly string[], environment: NodeJS.ProcessEnv = {}, cwd = root): void {
  const child = spawn(process.execPath, args, {
    cwd,
    stdio: 'inherit',
    env: { ...process.env, ...environment },
  });
  children.push(child);
  child.once('exit', (code) => stop(code ?? 0));
}

function stop(code: number): void {
  stopping = true;
  for (const child of [...children, server]) child?.kill('SIGTERM');
  // Open watchers would keep this process alive.
  setTimeout(() => process.exit(code), 3_000).unref();
  process.exitCode ??= code;
  for (const watcher of watchers) watcher.close();
}
process.on('SIGINT', () => stop(0));
process.on('SIGTERM', () => stop(0));

/**
 * Again whenever it ends, as long as this runs. `node --watch` is of no use here: it puts messages of its own among those of the
 * service's threads.
 */
function startServer(): void {
  const started = performance.now();
  server = spawn(process.execPath, ['server/main.ts'], {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      PORT: String(apiPort),
      DATA_DIR: process.env['DATA_DIR'] ?? join(root, '.cache', 'dev-data'),
      ...(hasMirror && { FEED_MIRROR: `http://127.0.0.1:${mirrorPort}` }),
    },
  });
  server.once('exit', () => {
    if (stopping) return;
    // One that cannot start is tried again slowly, until a file is saved.
    setTimeout(startServer, performance.now() - started < 2_000 ? 2_000 : 0);
  });
}

/** The port that is asked for, or any free one. */
function freePort(wanted: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', () =>
      wanted === 0 ? reject(new Error('No port is free')) : resolve(freePort(0)),
    );
    probe.listen(wanted, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}

const [apiPort, mirrorPort, consolePort] = [
  await freePort(8080),
  await freePort(8090),
  await freePort(5173),
];
if (hasMirror) start([mirror, '--port', String(mirrorPort)]);
startServer();
let restart: NodeJS.Timeout | undefined;
for (const folder of ['server', 'contract', 'catalogue']) {
  const watcher = watch(join(root, folder), { recursive: true }, (_, file) => {
    if (!/\.(ts|sql)$/.test(file ?? '') || file?.endsWith('.test.ts')) return;
    // An editor writes several files at once.
    clearTimeout(restart);
    restart = setTimeout(() => server?.kill('SIGTERM'), 200);
  });
  watchers.push(watcher);
}
start(
  [
    join(root, 'node_modules', 'vite', 'bin', 'vite.js'),
    '--port',
    String(consolePort),
    '--strictPort',
    '--clearScreen',
    'false',
  ],
  {
    API: `http://127.0.0.1:${apiPort}`,
  },
  join(root, 'console'),
);
process.stdout.write(
  `Console with reload: http://localhost:${consolePort}  API: http://127.0.0.1:${apiPort}\n`,
);
