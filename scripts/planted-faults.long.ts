/** Plants each fault in a copy of this repository: its test file must fail. `-t "toast: 3000"` plants one fault alone. */
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { plantedFaults } from './planted-faults.ts';
import { RepositoryCopy } from './repository-copy.ts';

const vitest = 'node node_modules/vitest/vitest.mjs run --reporter=dot';

let copy: RepositoryCopy;
beforeAll(() => {
  copy = new RepositoryCopy();
});
afterAll(() => copy.remove());

test('the test files pass without a fault', { timeout: 600_000 }, () => {
  const files = [...new Set(plantedFaults.map(({ test: file }) => file))];
  expect(copy.shell(`${vitest} ${files.join(' ')}`)).toBe('');
});

test.each(plantedFaults)('$test fails with $replace for $find', { timeout: 600_000 }, (fault) => {
  const path = copy.path(fault.file);
  const code = readFileSync(path, 'utf8');
  const pieces = code.split(fault.find);
  expect(pieces, `'${fault.find}' stands once in ${fault.file}`).toHaveLength(2);
  writeFileSync(path, pieces.join(fault.replace));
  try {
    expect(copy.shell(`${vitest} ${fault.test}`)).toMatch(/Tests .*\d+ failed/);
  } finally {
    writeFileSync(path, code);
  }
});
