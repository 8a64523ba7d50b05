/** Runs the suites one after another and ends with the true sums of all of them, on a line that CI reads. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { z } from 'zod';
import { noSums, type Sums, sumsLine } from './sums.ts';

const root = join(import.meta.dirname, '..');
const reports = join(root, '.cache', 'test-reports');

const VitestReport = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
  success: z.boolean(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      assertionResults: z.array(z.object({ status: z.string(), fullName: z.string() })),
    }),
  ),
});
type VitestFile = z.infer<typeof VitestReport>['testResults'][number];

const PlaywrightTest = z.object({
  title: z.string(),
  file: z.string(),
  tests: z.array(z.object({ status: z.string() })),
});
interface PlaywrightGroup {
  readonly specs: readonly z.infer<typeof PlaywrightTest>[];
  readonly suites?: readonly PlaywrightGroup[] | undefined;
}
const PlaywrightGroup: z.ZodType<PlaywrightGroup> = z.object({
  specs: z.array(PlaywrightTest),
  get suites() {
    return z.array(PlaywrightGroup).optional();
  },
});
const PlaywrightReport = z.object({
  suites: z.array(PlaywrightGroup),
  stats: z.object({
    expected: z.number(),
    unexpected: z.number(),
    flaky: z.number(),
    skipped: z.number(),
  }),
  errors: z.array(z.unknown()),
});

interface Outcome extends Sums {
  /** File and name of each test that failed, where the suite's own output does not end with them. */
  readonly failures: readonly string[];
  /** File and name of each test that failed first and passed when it was tried again. */
  readonly flaky: readonly string[];
}

/** In CI a file that fails is tried once more, alone. More than this many have another cause than a machine under load. */
const filesTriedAgain = process.env['CI'] === 'true' ? 3 : 0;

const suites: Readonly<Record<string, () => Outcome>> = {
  unit: () => {
    const { written, status } = runReported('unit', vitest([]));
    if (written === undefined) return withoutReport('unit');
    const report = VitestReport.parse(written);
    const failed = report.testResults.filter((file) => file.status === 'failed');
    const outcome = vitestOutcome(report);
    if (failed.length === 0 || failed.length > filesTriedAgain) return endedBadly(outcome, status);
    process.stdout.write(`\nTrying again, alone: ${namesOf(failed).join(', ')}\n`);
    const second = runReported('unit-again', vitest(namesOf(failed)));
    if (second.written === undefined) return outcome;
    const again = VitestReport.parse(second.written);
    const rest = report.testResults.filter((file) => file.status !== 'failed');
    const merged = vitestOutcome({ ...again, ...countsOf([...rest, ...again.testResults]) });
    const flaky = outcome.failures.filter((failure) => !merged.failures.includes(failure));
    return endedBadly({ ...merged, flaky }, second.status);
  },
  browser: () => {
    const { written, status } = runReported('browser', [
      'node_modules/@playwright/test/cli.js',
      'test',
    ]);
    if (written === undefined) return withoutReport('browser');
    const { suites: groups, stats, errors } = PlaywrightReport.parse(written);
    return endedBadly(
      {
        passed: stats.expected + stats.flaky,
        failed: stats.unexpected + (stats.unexpected === 0 ? errors.length : 0),
        skipped: stats.skipped,
        failures: [],
        flaky: groups.flatMap(flakyOf),
      },
      status,
    );
  },
};

const vitest = (files: readonly string[]) => (report: string) => [
  'node_modules/vitest/vitest.mjs',
  'run',
  ...files,
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${report}`,
];

/** Runs a suite and answers its report, if it wrote one. */
function runReported(
  name: string,
  command: readonly string[] | ((report: string) => readonly string[]),
): { readonly written: unknown; readonly status: number | null } {
  const report = join(reports, `${name}.json`);
  rmSync(report, { force: true });
  const parts = typeof command === 'function' ? command(report) : command;
  const { status } = spawnSync(process.execPath, [...parts], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
  });
  return {
    written: existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : undefined,
    status,
  };
}

const namesOf = (files: readonly VitestFile[]) => files.map(({ name }) => relative(root, name));

function vitestOutcome(report: z.infer<typeof VitestReport>): Outcome {
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, success } = report;
  return {
    passed: numPassedTests,
    // A file that fails outside its tests has no failed test of its own: all such count as one.
    failed: numFailedTests > 0 || success ? numFailedTests : 1,
    skipped: numPendingTests + numTodoTests,
    failures: report.testResults
      .filter((file) => file.status === 'failed')
      .flatMap(({ name, assertionResults }) => {
        const file = relative(root, name);
        const failed = assertionResults
          .filter((test) => test.status === 'failed')
          .map(({ fullName }) => `${file}: ${fullName}`);
        return failed.length > 0 ? failed : [`${file}: failed outside its tests`];
      }),
    flaky: [],
  };
}

function countsOf(testResults: readonly VitestFile[]) {
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const count = (...states: string[]) =>
    tests.filter(({ status }) => states.includes(status)).length;
  return {
    testResults: [...testResults],
    numPassedTests: count('passed'),
    numFailedTests: count('failed'),
    numPendingTests: count('pending', 'skipped', 'disabled'),
    numTodoTests: count('todo'),
  };
}

const flakyOf = ({ specs, suites: groups = [] }: PlaywrightGroup): readonly string[] => [
  ...specs
    .filter(({ tests }) => tests.some(({ status }) => status === 'flaky'))
    .map(({ file, title }) => `${file}: ${title}`),
  ...groups.flatMap(flakyOf),
];

const withoutReport = (name: string): Outcome => ({
  ...noSums,
  failed: 1,
  failures: [`${name}: no report was written`],
  flaky: [],
});

/** A runner that ends badly although no test failed (an unhandled error) has failed all the same. */
const endedBadly = (outcome: Outcome, status: number | null): Outcome =>
  status !== 0 && outcome.failed === 0 ? { ...outcome, failed: 1 } : outcome;

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in suites));
if (unknown.length > 0) {
  process.stderr.write(
    `There is no suite ${unknown.join(', ')}. Suites: ${Object.keys(suites).join(', ')}.\n`,
  );
  process.exit(2);
}
mkdirSync(reports, { recursive: true });
const outcomes = Object.entries(suites)
  .filter(([name]) => asked.length === 0 || asked.includes(name))
  .map(([, run]) => run());
const sum = (of: keyof Sums) => outcomes.reduce((total, outcome) => total + outcome[of], 0);
const sums: Sums = { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') };
// Thousands of lines lie between a failure and the end of the run.
for (const [title, names] of [
  ['Failed tests', outcomes.flatMap(({ failures }) => failures)],
  ['Passed only when tried again', outcomes.flatMap(({ flaky }) => flaky)],
] as const)
  if (names.length > 0)
    process.stdout.write(`\n${title}:\n${names.map((name) => `  ${name}\n`).join('')}`);
process.stdout.write(`\n${sumsLine(sums)}\n`);
process.exit(sums.failed > 0 || sums.passed === 0 ? 1 : 0);
