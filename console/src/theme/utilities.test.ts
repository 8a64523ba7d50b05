/** Compares the classes that elements name with those of the shared sheets: a class that no sheet has would draw nothing. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const sources = join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(sources, file), 'utf8');

const namesInSheet = (file: string) =>
  Array.from(read(file).matchAll(/^\.([\w-]+)/gm), ([, name = '']) => name);
const utilities = new Set(namesInSheet('theme/utilities.css'));
const known = new Set([...utilities, ...namesInSheet('theme/page-base.css'), 'figures']);

/** Literal classes of all elements; those of modules are expressions. */
const used = new Map(
  globSync('**/*.tsx', { cwd: sources })
    .filter((file) => !file.includes('.test.'))
    .flatMap((file) =>
      Array.from(read(file).matchAll(/className=(?:"([^"]*)"|\{`([^`]*)`\})/g)).flatMap(
        ([, plain, template]) =>
          (plain ?? template ?? '')
            .replaceAll(/\$\{[^}]*\}/g, ' ')
            .split(/\s+/)
            .filter((name) => name !== '')
            .map((name) => [name, file] as const),
      ),
    ),
);

describe('shared classes', () => {
  it('defines every literal class of an element', () => {
    expect(used.size).toBeGreaterThan(50);
    expect([...used].filter(([name]) => !known.has(name))).toEqual([]);
  });

  it('has no class that no element uses', () => {
    expect([...utilities].filter((name) => !used.has(name))).toEqual([]);
  });
});
