/** Follows docs/how-to/add-a-family.md to the letter in a copy of this repository, then forgets each step in turn. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const workspaces = ['catalogue', 'contract', 'server', 'console'];
let copy: string;
let migration: string;

const folder = 'catalogue/vendors/example';

const family: Readonly<Record<string, string>> = {
  'example-list.ts': `import { defineList } from '../../definition/list-definition.ts';
import { rpmErrataShape } from '../../shapes/rpm-errata-shape.ts';

export const exampleList = defineList({
  key: 'example_patch',
  label: 'Example patches',
  shortLabel: 'Example',
  source: 'example',
  route: 'example-patch',
  searchPath: '/linux/example/search',
  detailPath: '/linux/example/{id}',
  ...rpmErrataShape,
});
`,
  'example-feed.ts': `import { entry, type Feed } from '../../definition/feed.ts';
import { exampleList } from './example-list.ts';

const address = 'https://errata.example.org/all.txt';

export const exampleFeed: Feed = {
  fills: [exampleList],
  homepage: 'https://errata.example.org/',
  schedule: '7 * * * *',
  version: 1,
  parts: [
    {
      key: 'all',
      label: 'Example errata',
      async contents(publication) {
        return { documents: [await publication.open(address)], whole: true };
      },
      async *read({ documents }) {
        for (const document of documents) {
          for (const bulletinId of (await document.text()).split('\\n')) {
            const said = { title: bulletinId, bulletinId, severity: 'Low', category: 'security', releaseDate: 1_700_000_000_000 } as const;
            yield entry(exampleList, bulletinId, { ...said, binaryPkgName: ['wick'], osVersion: ['1'] }, {});
          }
        }
      },
    },
  ],
};
`,
  'example-feed.test.ts': `import { expect, test } from 'vitest';
import { exampleFeed } from './example-feed.ts';

test('it is read every hour', () => expect(exampleFeed.schedule).toBe('7 * * * *'));
`,
  'fixtures/errata.example.org/all.txt': 'EX-1',
  'readme.md': '# Example\n',
};

const registryLines: Readonly<Record<string, { readonly imported: string; readonly entry: string; readonly before: string }>> = {
  'catalogue/lists.ts': {
    imported: "import { exampleList } from './vendors/example/example-list.ts';",
    entry: '  exampleList,',
    before: '] as const;',
  },
  'catalogue/feeds.ts': {
    imported: "import { exampleFeed } from './vendors/example/example-feed.ts';",
    entry: '  example: exampleFeed,',
    before: '};',
  },
};

function run(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: copy, encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

function copyRepository(): void {
  const left = new Set(['node_modules', 'dist']);
  for (const name of ['scripts', ...workspaces]) {
    cpSync(join(root, name), join(copy, name), { recursive: true, filter: (path) => !left.has(basename(path)) });
  }
  cpSync(join(root, 'tsconfig.base.json'), join(copy, 'tsconfig.base.json'));
  const packages = join(copy, 'node_modules');
  mkdirSync(join(packages, '@patch'), { recursive: true });
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name !== '@patch') symlinkSync(join(root, 'node_modules', name), join(packages, name));
  }
  for (const name of workspaces) symlinkSync(join(copy, name), join(packages, '@patch', name));
}

function addFamily(): void {
  for (const [name, text] of Object.entries(family)) {
    const file = join(copy, folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

function register(registry: string): void {
  const { imported, entry, before } = registryLines[registry] ?? { imported: '', entry: '', before: '' };
  const lines = readFileSync(join(root, registry), 'utf8').split('\n');
  lines.splice(lines.indexOf(before), 0, entry);
  lines.splice(lines.findLastIndex((line) => line.startsWith('import ')) + 1, 0, imported);
  writeFileSync(join(copy, registry), lines.join('\n'));
}

beforeAll(() => {
  copy = realpathSync(mkdtempSync(join(tmpdir(), 'family-')));
  copyRepository();
  addFamily();
  for (const registry of Object.keys(registryLines)) register(registry);
  const { status, output } = run('scripts/new-migration.ts', 'add-example');
  if (status !== 0) throw new Error(output);
  migration = output.split(': ')[0] ?? '';
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

test('every family of this repository is whole', () => {
  const { status, stdout } = spawnSync(process.execPath, ['scripts/check-families.ts'], { cwd: root, encoding: 'utf8' });
  expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining(' 0 complaints') });
});

test('one folder, two registry lines and one migration are a family', () => {
  expect(migration).toMatch(/server\/database\/migrations\/\d{3}-add-example\.sql$/);
  expect(readFileSync(migration, 'utf8')).toContain('create table example_patch (');
  expect(run('scripts/check-families.ts')).toEqual({ status: 0, output: expect.stringContaining(' 0 complaints') });
});

test('the laws of lists and feeds hold for it before its author writes a test', () => {
  const laws = ['catalogue/lists.test.ts', 'catalogue/feeds.test.ts', folder];
  const { status, output } = run(
    'node_modules/vitest/vitest.mjs',
    'run',
    '--reporter=verbose',
    '--testNamePattern',
    'example|no two lists|every source|every hour',
    ...laws,
  );
  expect({ status, output }).toEqual({ status: 0, output: expect.stringContaining('the feed example') });
});

test.each(workspaces)('and nothing in %s has to be touched for it', (workspace) => {
  expect(run('node_modules/typescript/bin/tsc', '-p', workspace)).toEqual({ status: 0, output: '' });
});

test.each([
  [
    'the line in lists.ts',
    () => cpSync(join(root, 'catalogue/lists.ts'), join(copy, 'catalogue/lists.ts')),
    () => register('catalogue/lists.ts'),
    'catalogue/vendors/example has a list that catalogue/lists.ts does not name: example_patch. Add exampleList there.',
  ],
  [
    'the line in feeds.ts',
    () => cpSync(join(root, 'catalogue/feeds.ts'), join(copy, 'catalogue/feeds.ts')),
    () => register('catalogue/feeds.ts'),
    'catalogue/vendors/example has a feed that catalogue/feeds.ts does not name: exampleFeed. Add it there, under its source (example).',
  ],
  [
    'the migration',
    () => rmSync(migration),
    () => run('scripts/new-migration.ts', 'add-example'),
    'No migration makes a table for example_patch: npm run new-migration -- add-example-patch, then read and commit it.',
  ],
  ['the folder', () => rmSync(join(copy, folder), { recursive: true }), addFamily, '/catalogue/vendors/example/example-'],
  [
    'the feed in the folder',
    () => {
      rmSync(join(copy, folder, 'example-feed.ts'));
      cpSync(join(root, 'catalogue/feeds.ts'), join(copy, 'catalogue/feeds.ts'));
    },
    () => {
      addFamily();
      register('catalogue/feeds.ts');
    },
    'catalogue/vendors/example has no feed: add example-feed.ts.',
  ],
  ['the readme', () => rmSync(join(copy, folder, 'readme.md')), addFamily, 'catalogue/vendors/example has no readme.md.'],
  [
    'the fixtures',
    () => rmSync(join(copy, folder, 'fixtures'), { recursive: true }),
    addFamily,
    'catalogue/vendors/example has no fixtures.',
  ],
])('who forgets %s is told so', (_step, forget, remember, words) => {
  forget();
  const forgotten = run('scripts/check-families.ts');
  remember();
  expect(forgotten).toEqual({ status: 1, output: expect.stringContaining(words) });
});

test('what was forgotten can be made good', () => {
  expect(run('scripts/check-families.ts').status).toBe(0);
});

test('a source under another name than that of its feed is told so', () => {
  const file = join(copy, folder, 'example-list.ts');
  writeFileSync(file, readFileSync(file, 'utf8').replace("source: 'example'", "source: 'exmaple'"));
  const { status, output } = run('scripts/check-families.ts');
  addFamily();
  expect(status).toBe(1);
  expect(output).toContain('catalogue/feeds.ts names no feed for the source exmaple, which is that of example_patch.');
});
