/** Installs and builds whatever a fresh clone lacks: packages, the pinned Node, a built console, a browser. Runs on the machine's own Node, so it is plain JavaScript. */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));
const inRoot = (...parts) => join(root, ...parts);
const say = (line) => process.stderr.write(`${line}\n`);

/** Ends the process with one sentence; a stack trace would help nobody here. */
function giveUp(sentence) {
  say(sentence);
  process.exit(1);
}

function run(command, args, { quiet = false } = {}) {
  const { status, error, stderr } = spawnSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    stdio: quiet ? ['ignore', 'ignore', 'pipe'] : ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  return { ok: status === 0, why: error?.message ?? stderr ?? '' };
}

function sha256(...texts) {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(text);
  return hash.digest('hex');
}

/** Installs the locked packages when the lock differs from the one installed last. */
export function ensureInstalled() {
  const stamp = inRoot('node_modules', '.installed-lock');
  const wanted = sha256(readFileSync(inRoot('package-lock.json')), process.platform, process.arch);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  say(
    'Installing the packages of package-lock.json, the pinned Node runtime included (once, about a minute) …',
  );
  // `npm ci` refuses a lock whose packages for other platforms the registry lacks; `npm install --no-save` writes no lock.
  const { ok } = run('npm', [
    'install',
    '--no-save',
    '--loglevel=error',
    '--no-audit',
    '--no-fund',
    '--include=dev',
    '--include=optional',
  ]);
  if (!ok)
    giveUp(
      'The packages could not be installed: npm says why above. Check the network or the registry setting, then try again.',
    );
  writeFileSync(stamp, wanted);
}

/** The Node that runs the product: the pinned one from the packages, else this one when it is new enough. */
export function runtime() {
  const pinned = inRoot('node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node');
  for (const candidate of [pinned, process.execPath]) {
    const { status, stdout } = spawnSync(candidate, ['--version'], { encoding: 'utf8' });
    if (status === 0 && Number(/^v(\d+)/.exec(stdout)?.[1]) >= 24) return candidate;
  }
  return giveUp(
    `Node 24 or newer is needed. This is ${process.version}, and the pinned one is not among the packages for ${process.platform}-${process.arch}.`,
  );
}

/** The environment in which tools find the pinned Node first. */
export function environment() {
  const separator = process.platform === 'win32' ? ';' : ':';
  return {
    ...process.env,
    PATH: `${inRoot('node_modules', '.bin')}${separator}${process.env.PATH ?? ''}`,
  };
}

function* filesBelow(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort((one, other) =>
    one.name < other.name ? -1 : 1,
  )) {
    if (entry.name === 'node_modules' || entry.name === 'dist' || entry.name === 'fixtures')
      continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else yield path;
  }
}

/** Builds the console when what it is made of has changed since the last build. */
export function ensureConsole() {
  const stamp = inRoot('console', 'dist', '.built-from');
  const hash = createHash('sha256').update(readFileSync(inRoot('package-lock.json')));
  for (const folder of ['console', 'contract', 'catalogue'])
    for (const file of filesBelow(inRoot(folder)))
      hash.update(file.slice(root.length)).update(readFileSync(file));
  const wanted = hash.digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  say('Building the console …');
  const { status } = spawnSync(
    runtime(),
    [inRoot('node_modules', 'vite', 'bin', 'vite.js'), 'build', '--logLevel', 'warn'],
    {
      cwd: inRoot('console'),
      stdio: ['ignore', 2, 2],
      env: environment(),
    },
  );
  if (status !== 0) giveUp('The console could not be built: see above.');
  mkdirSync(inRoot('console', 'dist'), { recursive: true });
  writeFileSync(stamp, wanted);
}

const isRoot = () => process.getuid?.() === 0;

/** A Chromium for the browser tests: CHROMIUM, one on the PATH, or Debian's package installed now. */
export function ensureBrowser() {
  const found = findBrowser();
  if (found !== undefined) return found;
  if (!isRoot() || !run('apt-get', ['--version'], { quiet: true }).ok)
    giveUp(
      'The browser tests need Chromium: install it, or say where it is with CHROMIUM=/path/to/chromium.',
    );
  say('Installing Chromium for the browser tests (once, about a minute) …');
  run('apt-get', ['update', '-qq'], { quiet: true });
  const { ok, why } = run(
    'apt-get',
    ['install', '-y', '-qq', '--no-install-recommends', 'chromium'],
    { quiet: true },
  );
  return (ok && findBrowser()) || giveUp(`Chromium could not be installed: ${why}`);
}

function findBrowser() {
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
  const candidates = [
    process.env.CHROMIUM,
    ...(process.env.PATH ?? '')
      .split(':')
      .flatMap((folder) => names.map((name) => join(folder, name))),
  ];
  return candidates.find(
    (path) => path !== undefined && existsSync(path) && statSync(path).isFile(),
  );
}

/** Where Node keeps what it has compiled, for quicker starts. Where it cannot write, it keeps nothing. */
const compileCache = { NODE_COMPILE_CACHE: inRoot('.cache', 'compiled') };

/**
 * Has glibc give large buffers back to the system when they are freed, and keep fewer heaps for threads: a service with the records of the
 * feed mirror then holds 75 to 90 MB less. Containerfile sets the same.
 */
const allocation = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '262144' };

/** Runs a program under the pinned Node, hands signals on and ends as it ends. */
export function become(args, extra = {}) {
  const child = spawn(runtime(), args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...compileCache, ...allocation, ...environment(), ...extra },
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(signal === null ? (code ?? 1) : 1));
}
