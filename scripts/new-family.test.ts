/** Runs the generator of families as docs/how-to/add-a-family.md says, in a copy of this repository, once for each form of publication. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testsOfRegistries } from './family/enumerating-tests.ts';
import { repositoryRoot } from './generated-documents.ts';
import { complaintOf, RepositoryCopy, shellLines } from './testing/repository-copy.ts';

let copy: RepositoryCopy;
beforeAll(() => {
  copy = new RepositoryCopy();
});
afterAll(() => copy.remove());

const howTo = (name: string) =>
  shellLines(readFileSync(join(repositoryRoot, 'docs', 'how-to', name), 'utf8'));
const folderOf = (name: string) => `catalogue/vendors/${name}`;
const [generate = '', ...afterwards] = howTo('add-a-family.md');

describe('what cannot be generated', () => {
  test.each([
    ['npm run new-family', 'npm run new-family -- <name> --like <vendor>'],
    ['npm run new-family -- Fedora --like opensuse', "'Fedora' is no name for a family"],
    ['npm run new-family -- fedora', 'Say which vendor it publishes like, with --like.'],
    [
      'npm run new-family -- fedora --like gentoo',
      "There is no vendor 'gentoo'. A new family can be made like ",
    ],
    ['npm run new-family -- fedora --like macos', "'macos' publishes in a form of its own"],
    ['npm run new-family -- fedora --like opensuse --shape rpm', "Unknown option '--shape'"],
  ])('%s is refused with what is allowed, and changes nothing', (line, told) => {
    const before = copy.shell('git status --porcelain').output;
    expect(copy.shell(line)).toEqual({ status: 2, output: expect.stringContaining(told) });
    expect(copy.shell('git status --porcelain').output).toBe(before);
  });
});

describe('a family of each form', () => {
  const forms = [
    ['examplelinux', 'Example Linux', 'opensuse'],
    ['exampledeb', 'Exampledeb', 'debian'],
    ['examplejson', 'Examplejson', 'almalinux'],
  ] as const;

  test('the how-to begins with the command that generates it', () => {
    expect(generate).toMatch(/^npm run new-family -- examplelinux --like opensuse /);
  });

  test.each(forms)('%s (%s) is generated like %s', (name, label, like) => {
    const line =
      name === 'examplelinux' ? generate : `npm run new-family -- ${name} --like ${like}`;
    expect(copy.shell(line)).toEqual({
      status: 0,
      output: expect.stringContaining(`${label} is a family now, and every test is green.`),
    });
    const written = [
      `${name}-list.ts`,
      `${name}-feed.ts`,
      `${name}-feed.test.ts`,
      `testing/${name}-fixtures.ts`,
      'fixtures',
      'readme.md',
    ];
    expect(written.filter((file) => !existsSync(join(copy.path(folderOf(name)), file)))).toEqual(
      [],
    );
    expect(
      readdirSync(copy.path('server/platform/database/migrations')).filter((file) =>
        file.endsWith(`-add-${name}.sql`),
      ),
    ).toHaveLength(1);
    expect(copy.shell(`npm run new-family -- ${name} --like ${like}`)).toEqual({
      status: 2,
      output: expect.stringContaining(`There is a family '${name}' already`),
    });
  });

  test('the other commands of the how-to succeed, in their order', { timeout: 300_000 }, () => {
    expect(
      afterwards.filter((line) => line.startsWith('npm run ')).map((line) => line.split(' ')[2]),
    ).toEqual(['check', 'fixtures', 'new-migration']);
    for (const line of afterwards)
      expect([line, complaintOf(copy.shell(line))]).toEqual([line, '']);
  });

  test.each([
    ['types', 'node_modules/typescript/bin/tsc', '-p', 'catalogue'],
    ['unused code', 'node_modules/knip/bin/knip.js', '--no-progress'],
    ['families', 'scripts/check-families.ts'],
    ['documents', 'scripts/write-documents.ts', '--check'],
    ['names', 'scripts/check-names.ts'],
    ['boundary laws', 'scripts/check-boundaries.ts'],
    [
      'format',
      'node_modules/@biomejs/biome/bin/biome',
      'check',
      '--linter-enabled=false',
      'catalogue',
      'docs',
      'scripts',
      'server/platform/database',
    ],
  ])('the check stays green: %s', (_name, ...args) => {
    expect(complaintOf(copy.node(...args))).toBe('');
  });

  test('the tests of the families stay green, and those that read the registries', {
    timeout: 300_000,
  }, () => {
    const registries = testsOfRegistries();
    expect(registries.length).toBeGreaterThan(10);
    const files = [
      ...forms.map(([name]) => folderOf(name)),
      'catalogue/feeds.test.ts',
      'server/platform/database/drift.test.ts',
      ...registries,
    ];
    // The tests on PostgreSQL do not depend on the number of families.
    expect(
      complaintOf(copy.vitest('--testNamePattern', '^(?!.*PostgreSQL server)', ...files)),
    ).toBe('');
  });
});
