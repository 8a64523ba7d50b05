/** Forgets each step of docs/how-to/add-a-family.md in turn, in a copy of this repository with one family more: a check names what is missing. */
import { cpSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { repositoryRoot } from './generated-documents.ts';
import { RepositoryCopy } from './testing/repository-copy.ts';

const folder = 'catalogue/vendors/example';
const migrations = 'server/platform/database/migrations';

let copy: RepositoryCopy;
beforeAll(() => {
  copy = new RepositoryCopy();
  const { status, output } = copy.node('scripts/new-family.ts', 'example', '--like', 'opensuse');
  if (status !== 0) throw new Error(output);
});
afterAll(() => copy.remove());

const change = (file: string, from: string, to: string) => {
  const text = readFileSync(copy.path(file), 'utf8');
  if (!text.includes(from)) throw new Error(`${file} does not say ${from}`);
  writeFileSync(copy.path(file), text.replace(from, to));
};

/** Does something to a file or a folder, and answers how it is made good. */
function lost(file: string): () => void {
  renameSync(copy.path(file), copy.path(`${file}-lost`));
  return () => renameSync(copy.path(`${file}-lost`), copy.path(file));
}
function changed(file: string, from: string, to: string): () => void {
  const before = readFileSync(copy.path(file), 'utf8');
  change(file, from, to);
  return () => writeFileSync(copy.path(file), before);
}
function withoutLine(file: string): () => void {
  const before = readFileSync(copy.path(file), 'utf8');
  cpSync(join(repositoryRoot, file), copy.path(file));
  return () => writeFileSync(copy.path(file), before);
}

const migration = () =>
  `${migrations}/${readdirSync(copy.path(migrations)).find((name) => name.endsWith('-add-example.sql'))}`;

test('a family that was generated is whole', () => {
  expect(copy.node('scripts/check-families.ts')).toEqual({
    status: 0,
    output: expect.stringContaining(' 0 complaints'),
  });
});

test.each([
  [
    'the line in lists.ts',
    () => withoutLine('catalogue/lists.ts'),
    `${folder} has a list that catalogue/lists.ts does not name: example_patch. Add exampleList there.`,
  ],
  [
    'the line in feeds.ts',
    () => withoutLine('catalogue/feeds.ts'),
    `${folder} has a feed that catalogue/feeds.ts does not name: exampleFeed. Add it there, under its source (example).`,
  ],
  [
    'the migration',
    () => lost(migration()),
    'No migration makes a table for example_patch: npm run new-migration -- add-example-patch, then read and commit it.',
  ],
  ['the readme', () => lost(`${folder}/readme.md`), `${folder} has no readme.md.`],
  ['the fixtures', () => lost(`${folder}/fixtures`), `${folder} has no fixtures.`],
  [
    'the tests',
    () => lost(`${folder}/example-feed.test.ts`),
    `${folder} has no example-feed.test.ts: every feed has a test file of its own.`,
  ],
  [
    'the feed',
    () => {
      const [feed, registry] = [
        lost(`${folder}/example-feed.ts`),
        withoutLine('catalogue/feeds.ts'),
      ];
      return () => [feed, registry].forEach((again) => again());
    },
    `${folder} has no feed: add example-feed.ts.`,
  ],
  [
    'that the source of the list is the name of the feed',
    () => changed(`${folder}/example-list.ts`, "source: 'example'", "source: 'exmaple'"),
    'catalogue/feeds.ts names no feed for the source exmaple, which is that of example_patch.',
  ],
])('who forgets %s is told so', (_step, forget, words) => {
  const remember = forget();
  const forgotten = copy.node('scripts/check-families.ts');
  remember();
  expect(forgotten).toEqual({ status: 1, output: expect.stringContaining(words) });
});

test.each([
  [
    'a part without fixtures',
    'catalogue/feeds.test.ts',
    () =>
      changed(
        `${folder}/example-feed.ts`,
        "parts: ['1', '2'].map(errataOf)",
        "parts: ['1', '2', '9'].map(errataOf)",
      ),
    `${folder}/fixtures has nothing for the part 9 (Example 9)`,
  ],
  [
    'a field of the wrong kind',
    'catalogue/feeds.test.ts',
    () =>
      changed(
        `${folder}/example-list.ts`,
        '...rpmErrataShape,',
        "...rpmErrataShape, fields: { ...rpmErrataShape.fields, bulletinId: text('Bulletin') },",
      ),
    'example_patch.bulletinId is text, but its values are identifiers',
  ],
  [
    'a field that no fixture has',
    'catalogue/feeds.test.ts',
    () =>
      changed(
        `${folder}/example-list.ts`,
        '...rpmErrataShape,',
        "...rpmErrataShape, fields: { ...rpmErrataShape.fields, urgency: text('Urgency') },",
      ),
    'example_patch: fields without a value in any fixture',
  ],
  [
    'fixtures that are older than their generator',
    'catalogue/generated-fixtures.test.ts',
    () => changed(`${folder}/testing/example-fixtures.ts`, 'candle bug fix update', 'candle fix'),
    'npm run fixtures -- example',
  ],
  [
    'a column without a migration',
    'server/platform/database/drift.test.ts',
    () =>
      changed(
        `${folder}/example-list.ts`,
        '...rpmErrataShape,',
        "...rpmErrataShape, fields: { ...rpmErrataShape.fields, urgency: text('Urgency') },",
      ),
    'add column urgency text',
  ],
])('%s is named by a test', (_what, file, spoil, words) => {
  const imports = changed(
    `${folder}/example-list.ts`,
    'import { defineList }',
    "import { text } from '../../definition/fields.ts';\nimport { defineList }",
  );
  const restore = spoil();
  const { status, output } = copy.vitest('--testNamePattern', 'example', file);
  restore();
  imports();
  expect({ status, output }).toEqual({ status: 1, output: expect.stringContaining(words) });
});

test('generated documents that are stale are named, with the command that writes them', () => {
  const restore = changed('docs/access.md', 'Example', 'Exmaple');
  const stale = copy.shell('npm run docs -- --check');
  restore();
  expect(stale).toMatchObject({
    status: 1,
    output: expect.stringContaining('docs/access.md is stale: run npm run docs and commit it.'),
  });
});

test('all that was forgotten can be made good', () => {
  rmSync(copy.path('node_modules/.vite'), { recursive: true, force: true });
  expect(copy.node('scripts/check-families.ts').status).toBe(0);
  expect(
    copy
      .shell('git status --porcelain')
      .output.split('\n')
      .filter((line) => line.startsWith(' D')),
  ).toEqual([]);
});
