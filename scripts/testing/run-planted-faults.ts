/**
 * Runs the test of every planted fault with that fault alone, and all of these tests without one. Each is a project of vitest whose
 * sources are changed as they are read, never on the disk. Writes a `PlantedOutcome` as JSON to the file that it is given.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProjectInlineConfiguration } from 'vitest/config';
import { createVitest } from 'vitest/node';
import { migratedArchive } from '../../server/testing/migrated-archive.ts';
import { findCode, replaceCode } from './code-replacement.ts';
import {
  type PlantedFault,
  type PlantedOutcome,
  plantedFaults,
  runTitle,
} from './planted-faults.ts';

const root = join(import.meta.dirname, '..', '..');
const [report = ''] = process.argv.slice(2);

interface Run {
  /** A file of tests, relative to the root. */
  readonly file: string;
  /** As they are written in the file. */
  readonly titles: readonly string[];
  readonly fault?: PlantedFault;
}

// One database is enough here.
const databases = {
  postgresUrl: null,
  migratedServer: null,
  migratedArchive: await migratedArchive(),
};

const testFiles = [...new Set(plantedFaults.map(({ test }) => test.file))];
const titlesOf = (file: string) =>
  plantedFaults.filter(({ test }) => test.file === file).map(({ test }) => test.title);
const runs: readonly Run[] = [
  ...plantedFaults.map((fault) => ({ file: fault.test.file, titles: [fault.test.title], fault })),
  ...testFiles.map((file) => ({ file, titles: titlesOf(file) })),
];

function project({ file, fault }: Run, place: number): TestProjectInlineConfiguration {
  const plugins = fault === undefined ? [] : [planted(fault)];
  const common = {
    name: String(place),
    include: [join(root, file)],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Vitest keeps what it transformed on the disk, by the source before: other runs would meet the fault there.
    fsModuleCache: false,
  };
  if (!file.startsWith('console/')) {
    return {
      root,
      plugins,
      test: { ...common, environment: 'node', pool: 'forks', provide: databases },
    };
  }
  const setupFiles = [join(root, 'console', 'src', 'test-setup.ts')];
  return {
    extends: join(root, 'console', 'vite.config.ts'),
    root: join(root, 'console'),
    plugins,
    test: { ...common, environment: 'happy-dom', setupFiles },
  };
}

function planted({ file, original, changed }: PlantedFault) {
  return {
    name: 'planted-fault',
    enforce: 'pre' as const,
    transform: (code: string, id: string) =>
      id.split('?')[0] === join(root, file) ? replaceCode(code, original, changed) : undefined,
  };
}

for (const { file, original } of plantedFaults) {
  const times = findCode(readFileSync(join(root, file), 'utf8'), original).length;
  if (times !== 1)
    throw new Error(
      `${file} has '${original}' ${times} times, not once: its planted fault must be changed`,
    );
}

const vitest = await createVitest('test', {
  root,
  config: false,
  watch: false,
  maxWorkers: 2,
  fsModuleCache: false,
  silent: true,
  reporters: [{}],
  projects: runs.map(project),
});
const { testModules } = await vitest.runTestSpecifications(
  vitest.projects.map((each) => {
    const { file, titles } = runs[Number(each.name)] as Run;
    return each.createSpecification(join(root, file), { testNamePattern: runTitle(titles) });
  }),
);
const outcome: PlantedOutcome = {
  failedUnder: plantedFaults.map(() => []),
  failedWithout: [],
  passedWithout: [],
};
for (const {
  project: { name },
  children,
} of testModules) {
  const under = outcome.failedUnder[Number(name)];
  (under ?? outcome.failedWithout).push(
    ...Array.from(children.allTests('failed'), (test) => test.name),
  );
  if (under === undefined)
    outcome.passedWithout.push(...Array.from(children.allTests('passed'), (test) => test.name));
}
await vitest.close();
writeFileSync(report, JSON.stringify(outcome));
// Failed tests are what this is for.
process.exit(0);
