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
const PlaywrightReport = z.object({
  stats: z.object({
    expected: z.number(),
    unexpected: z.number(),
    flaky: z.number(),
    skipped: z.number(),
  }),
  errors: z.array(z.unknown()),
});

interface Suite {
  readonly name: string;
  readonly command: (report: string) => readonly string[];
  readonly sums: (report: unknown) => Sums;
  /** File and name of each test that failed, where the suite's own output does not end with them. */
  readonly failures?: (report: unknown) => readonly string[];
}

const suites: readonly Suite[] = [
  {
    name: 'unit',
    command: (report) => [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ],
    sums(report) {
      const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, success } =
        VitestReport.parse(report);
      // A file that fails outside its tests has no failed test of its own: all such count as one.
      const failed = numFailedTests > 0 || success ? numFailedTests : 1;
      return { passed: numPassedTests, failed, skipped: numPendingTests + numTodoTests };
    },
    failures(report) {
      return VitestReport.parse(report)
        .testResults.filter(({ status }) => status === 'failed')
        .flatMap(({ name, assertionResults }) => {
          const file = relative(root, name);
          const failed = assertionResults
            .filter(({ status }) => status === 'failed')
            .map(({ fullName }) => `${file}: ${fullName}`);
          return failed.length > 0 ? failed : [`${file}: failed outside its tests`];
        });
    },
  },
  {
    name: 'browser',
    command: () => ['node_modules/@playwright/test/cli.js', 'test'],
    sums(report) {
      const { stats, errors } = PlaywrightReport.parse(report);
      return {
        passed: stats.expected + stats.flaky,
        failed: stats.unexpected + (stats.unexpected === 0 ? errors.length : 0),
        skipped: stats.skipped,
      };
    },
  },
];

function runSuite(suite: Suite): Sums & { readonly failures: readonly string[] } {
  const report = join(reports, `${suite.name}.json`);
  rmSync(report, { force: true });
  const { status } = spawnSync(process.execPath, [...suite.command(report)], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
  });
  if (!existsSync(report))
    return { passed: 0, failed: 1, skipped: 0, failures: [`${suite.name}: no report was written`] };
  const written: unknown = JSON.parse(readFileSync(report, 'utf8'));
  const sums = { ...suite.sums(written), failures: suite.failures?.(written) ?? [] };
  // A runner that ends badly although no test failed (an unhandled error) has failed all the same.
  return status !== 0 && sums.failed === 0 ? { ...sums, failed: 1 } : sums;
}

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !suites.some((suite) => suite.name === name));
if (unknown.length > 0) {
  process.stderr.write(
    `There is no suite ${unknown.join(', ')}. Suites: ${suites.map((suite) => suite.name).join(', ')}.\n`,
  );
  process.exit(2);
}
mkdirSync(reports, { recursive: true });
let sums = noSums;
const failures: string[] = [];
for (const suite of suites.filter(({ name }) => asked.length === 0 || asked.includes(name))) {
  const { passed, failed, skipped, failures: failedTests } = runSuite(suite);
  failures.push(...failedTests);
  sums = {
    passed: sums.passed + passed,
    failed: sums.failed + failed,
    skipped: sums.skipped + skipped,
  };
}
// Thousands of lines lie between a failure and the end of the run.
if (failures.length > 0)
  process.stdout.write(`\nFailed tests:\n${failures.map((failure) => `  ${failure}\n`).join('')}`);
process.stdout.write(`\n${sumsLine(sums)}\n`);
process.exit(sums.failed > 0 || sums.passed === 0 ? 1 : 0);
