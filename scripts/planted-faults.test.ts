import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { coverageLines } from './coverage-table.ts';
import { type PlantedOutcome, plantedFaults, runTitle } from './testing/planted-faults.ts';

const root = join(import.meta.dirname, '..');
const lines = coverageLines(readFileSync(join(root, 'docs', 'coverage.md'), 'utf8'));
const named = plantedFaults.map(
  ({ id, original, changed }, place) => [`${id}: '${changed}' for '${original}'`, place] as const,
);

let outcome: PlantedOutcome;

/** One run for all: vitest starts once. */
beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), 'planted-'));
  const report = join(folder, 'outcome.json');
  // As a program of its own: of this vitest it knows nothing.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST')),
  );
  const { stderr } = spawnSync(
    process.execPath,
    [join(root, 'scripts', 'testing', 'run-planted-faults.ts'), report],
    {
      cwd: root,
      encoding: 'utf8',
      env,
      timeout: 280_000,
      maxBuffer: 64 * 1024 * 1024,
    },
  );
  try {
    outcome = JSON.parse(readFileSync(report, 'utf8')) as PlantedOutcome;
  } catch (failure) {
    throw new Error(`The planted faults were not run: ${stderr.slice(-2000)}`, { cause: failure });
  } finally {
    rmSync(folder, { recursive: true });
  }
}, 300_000);

test.each(named)('%s fails the test of its line', (_, place) => {
  const { id, test: proving } = plantedFaults[place] as (typeof plantedFaults)[number];
  expect(lines.find((line) => line.id === id)?.tests).toContainEqual(proving);
  expect(outcome.failedUnder[place]).toContainEqual(
    expect.stringMatching(runTitle([proving.title])),
  );
});

test('without a fault the same tests pass', () => {
  expect(outcome.failedWithout).toEqual([]);
  const titles = [...new Set(plantedFaults.map(({ test: { title } }) => title))];
  expect(
    titles.filter((title) => !outcome.passedWithout.some((name) => runTitle([title]).test(name))),
  ).toEqual([]);
});

test('every line that was proved by the product’s own constants has a fault', () => {
  const faulty = new Set(plantedFaults.map(({ id }) => id));
  const weak =
    '2.37, 2.43, 2.51, 3.8, 3.10, 3.16, 4.2, 7.13, 7.18, 8.3, 8.7, 9.2, 9.3, 9.6, 9.8'.split(', ');
  expect(weak.filter((id) => !faulty.has(id))).toEqual([]);
});
