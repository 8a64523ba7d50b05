import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { plantedFaults } from './planted-faults.ts';

const root = join(import.meta.dirname, '..');

test('each planted fault replaces a text that stands once in its file', () => {
  const misplaced = plantedFaults.flatMap(({ file, find }) => {
    const times = readFileSync(join(root, file), 'utf8').split(find).length - 1;
    return times === 1 ? [] : [`${file}: ${times} times ${find}`];
  });
  expect(misplaced).toEqual([]);
});
