import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { lintProse } from './prose/lint-prose.ts';
import { subjectProblems } from './prose/lint-subject.ts';

const root = join(import.meta.dirname, '..');

describe('the word list', () => {
  test.each([
    ['notes.md', 'The token is good no more.', 'no longer'],
    ['notes.md', '# The end of it\n', 'its'],
    ['row.tsx', 'export const row = <p>Made anew</p>;', 'again'],
    ['store.ts', '/** Whoever asks. */\nexport const asks = 1;', 'anyone who'],
    ['store.test.ts', "test('tells somebody', () => {});", 'someone'],
  ])('finds a term in %s: %s', async (name, text, instead) => {
    expect(await lintProse(name, text)).toEqual([
      { line: expect.any(Number), message: expect.stringMatching(new RegExp(instead, 'i')) },
    ]);
  });

  test.each([
    ['notes.md', 'There are no more than ten rows. `no more` is code.'],
    ['store.ts', 'const anewCount = 1; // It is no longer used.'],
  ])('passes over what is plain English in %s: %s', async (name, text) => {
    expect(await lintProse(name, text)).toEqual([]);
  });
});

test('a planted term fails the check, with its file and line', () => {
  const planted = join(root, 'docs', 'planted-term.md');
  onTestFinished(() => rmSync(planted, { force: true }));
  writeFileSync(planted, '# Planted\n\nThe link is good no more.\n');
  const { status, stdout } = spawnSync(
    process.execPath,
    ['scripts/check-prose.ts', 'docs/planted-term.md'],
    {
      cwd: root,
      encoding: 'utf8',
    },
  );
  expect(stdout).toContain('docs/planted-term.md:3:');
  expect(status).toBe(1);
});

describe('a commit message', () => {
  test.each([
    'feat(search): find bulletins by their CVE',
    'fix!: refuse an unsigned dump\n\nA dump is SQL.',
  ])('%j is as it should be', async (message) => {
    expect(await subjectProblems(message)).toEqual([]);
  });

  test.each([
    ['Update stuff', 'type may not be empty'],
    ['feature: find bulletins', 'type must be one of'],
    [`feat: ${'x'.repeat(80)}`, 'must not be longer than 72'],
    ['fix: refuse an unsigned dump.', 'full stop'],
  ])('%j is refused: %s', async (message, why) => {
    expect((await subjectProblems(message)).join()).toContain(why);
  });
});
