/** Follows the how-tos that change code, each in a copy of this repository: every command that it names must succeed. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { repositoryRoot } from './generated-documents.ts';
import { applyEdit, howToEdits } from './testing/how-to-edits.ts';
import { complaintOf, RepositoryCopy, shellLines } from './testing/repository-copy.ts';

const wholeCheck = 'npm run check -- --no-tests';
const read = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : null);
const names = ['add-an-endpoint', 'add-a-screen', 'add-an-operator'];
const howTos = names.map((name) =>
  readFileSync(join(repositoryRoot, 'docs', 'how-to', `${name}.md`), 'utf8'),
);

/** One copy for all of them: the last command of each is the same, and takes long. */
let copy: RepositoryCopy;
beforeAll(() => {
  copy = new RepositoryCopy();
});
afterAll(() => copy.remove());

test.each(
  names.map((name, index) => ({ page: `docs/how-to/${name}.md`, howTo: howTos[index] ?? '' })),
)('$page can be followed', { timeout: 600_000 }, ({ howTo }) => {
  const edits = howToEdits(howTo);
  expect(edits.length).toBeGreaterThan(3);
  for (const edit of edits) {
    const path = copy.path(edit.file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, applyEdit(read(path), edit));
  }
  const commands = shellLines(howTo);
  expect(commands.at(-1)).toBe(wholeCheck);
  for (const command of commands.slice(0, -1)) expect(complaintOf(copy.shell(command))).toBe('');
});

test('what was added in all of them passes the whole check', { timeout: 600_000 }, () => {
  expect(complaintOf(copy.shell(wholeCheck))).toBe('');
});
