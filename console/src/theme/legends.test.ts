/** Legends have the font size of a heading unless one is given: antd's reset makes them larger than any size of the console. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const sources = join(import.meta.dirname, '..');

it('gives each legend a size', () => {
  const legends = globSync('**/*.tsx', { cwd: sources })
    .filter((file) => !file.includes('.test.'))
    .flatMap((file) => readFileSync(join(sources, file), 'utf8').match(/<legend[^>]*>/g) ?? []);
  expect(legends.length).toBeGreaterThan(4);
  expect(
    legends.filter((legend) => !/visually-hidden|text-(?:small|dense|body|title)/.test(legend)),
  ).toEqual([]);
});
