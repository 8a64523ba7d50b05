/** Follows the how-tos that change code in one copy of this repository: their edits must fit, and every command must succeed. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RepositoryCopy } from './repository-copy.ts';

const check = 'npm run check';
const names = ['add-a-field', 'add-an-endpoint', 'add-a-screen', 'add-an-operator'];
const pages = names.map((name) => {
  const file = join('docs', 'how-to', `${name}.md`);
  return { file, text: readFileSync(join(import.meta.dirname, '..', file), 'utf8') };
});

interface Edit {
  readonly file: string;
  /** `below`, `above` and `in place of` name a line that stands once in the file; without a kind the file is new. */
  readonly kind: string | undefined;
  /** Without indentation. ` … ` separates a line from one further below. */
  readonly line: string;
  readonly code: string;
}

/** Code blocks of these languages without their indentation. */
const findBlocks = (markdown: string, languages: string): string[] =>
  Array.from(
    markdown.matchAll(new RegExp(`^( *)\`\`\`(?:${languages})\\n([\\s\\S]*?)^\\1\`\`\`$`, 'gm')),
    ([, indent = '', block = '']) => block.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  );

/** The first line of a block says where it goes: `// path/to/file.ts (new)` or `// path/to/file.ts, below: line`. */
function parseEdits(markdown: string): readonly Edit[] {
  return findBlocks(markdown, 'tsx?').map((block) => {
    const match =
      /^\/\/ (?<file>[\w./-]+)(?: \(new\)|, (?<kind>below|above|in place of): (?<line>.+))\n(?<code>[\s\S]*)$/.exec(
        block,
      );
    if (match?.groups === undefined) throw new Error(`A code block names no file: ${block}`);
    const { file = '', kind, line = '', code = '' } = match.groups;
    return { file, kind, line, code };
  });
}

function apply(copy: RepositoryCopy, { file, kind, line, code }: Edit): void {
  const path = copy.path(file);
  expect(existsSync(path), `${file} exists`).toBe(kind !== undefined);
  if (kind === undefined) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, code);
    return;
  }
  const lines = readFileSync(path, 'utf8').split('\n');
  const [first = '', ...further] = line.split(' … ');
  expect(
    lines.filter((text) => text.trim() === first),
    `${file} has '${first}'`,
  ).toHaveLength(1);
  const find = (text: string, start: number) => {
    const index = lines.findIndex((each, at) => at >= start && each.trim() === text);
    expect(index, `${file} has '${text}' below '${first}'`).toBeGreaterThanOrEqual(start);
    return index;
  };
  const index = further.reduce((above, step) => find(step, above + 1), find(first, 0));
  const added = code.replace(/\n$/, '').split('\n');
  lines.splice(kind === 'below' ? index + 1 : index, kind === 'in place of' ? 1 : 0, ...added);
  writeFileSync(path, lines.join('\n'));
}

let copy: RepositoryCopy;
beforeAll(() => {
  copy = new RepositoryCopy();
});
afterAll(() => copy.remove());

test.each(pages)('$file can be followed', { timeout: 600_000 }, ({ text }) => {
  const edits = parseEdits(text);
  expect(edits.length).toBeGreaterThan(3);
  for (const edit of edits) apply(copy, edit);
  const commands = findBlocks(text, 'sh').flatMap((block) => block.trim().split('\n'));
  expect(commands.at(-1)).toBe(check);
  for (const command of commands.slice(0, -1)) expect(copy.shell(command)).toBe('');
});

test('the check passes after all of them', { timeout: 600_000 }, () => {
  expect(copy.shell(check)).toBe('');
});
