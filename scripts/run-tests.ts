/**
 * Runs the suites beside each other, since each waits for its database and its browser half of the time, and ends with the true sums of
 * all of them, on a line that CI reads. Long sections run one after another.
 * `run-tests.ts [unit] [browser]`: what everyone runs. `run-tests.ts long [section …] [-- flags]`: what is exhaustive, with flags for Vitest.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { longSections } from './long-sections.ts';
import { slowFiles } from './slow-files.ts';
import { noSums, sumsLine } from './sums.ts';
import {
  readPlaywrightReport,
  readVitestReport,
  type SuiteResult,
  timeReport,
} from './test-report.ts';

const root = join(import.meta.dirname, '..');
const reports = join(root, '.cache', 'test-reports');

/** In CI a file that fails is tried once more, alone. More than this many have another cause than a machine under load. */
const maxRetriedFiles = process.env['CI'] === 'true' ? 3 : 0;

const unitProjects = ['catalogue', 'server', 'console', 'console alone'];

async function runUnit(): Promise<SuiteResult> {
  const result = await runVitest('unit', unitProjects);
  const failed = result.files.filter((file) => file.failed).map(({ file }) => file);
  if (failed.length === 0 || failed.length > maxRetriedFiles) return result;
  process.stdout.write(`\nTrying again, alone: ${failed.join(', ')}\n`);
  const second = await runVitest('unit-again', unitProjects, failed);
  const recovered = result.failures.filter((failure) => !second.failures.includes(failure));
  return {
    ...result,
    passed: result.passed + recovered.length,
    failed: second.failed,
    failures: second.failures,
    flaky: recovered,
  };
}

function runVitest(name: string, projects: readonly string[], filters: readonly string[] = []) {
  return runReported(
    name,
    (report) => [
      'node_modules/vitest/vitest.mjs',
      'run',
      ...projects.map((project) => `--project=${project}`),
      ...filters,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ],
    (report) => readVitestReport(report, root),
  );
}

const runBrowser = (isLive: boolean) =>
  runReported(
    'browser',
    () => ['node_modules/@playwright/test/cli.js', 'test'],
    readPlaywrightReport,
    isLive,
  );

/**
 * Runs a suite and reads its report. A runner that ends badly although no test failed has failed all the same.
 * @param isLive - False: the output is printed when the suite has ended.
 */
async function runReported(
  name: string,
  command: (report: string) => readonly string[],
  read: (report: unknown) => SuiteResult,
  isLive = true,
): Promise<SuiteResult> {
  const report = join(reports, `${name}.json`);
  rmSync(report, { force: true });
  const runner = spawn(process.execPath, command(report), {
    cwd: root,
    stdio: isLive ? 'inherit' : ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
  });
  const output = runner.stdout === null ? null : buffer(runner.stdout);
  const [status] = (await once(runner, 'close')) as [number | null];
  if (output !== null) process.stdout.write(await output);
  const result: SuiteResult = existsSync(report)
    ? read(JSON.parse(readFileSync(report, 'utf8')))
    : { ...noSums, files: [], failures: [], flaky: [] };
  if (status === 0 || result.failed > 0) return result;
  return { ...result, failed: 1, failures: [`${name}: the runner ended with ${status}`] };
}

type Run = (isLive: boolean) => Promise<SuiteResult>;

const suites: Readonly<Record<string, Run>> = { unit: runUnit, browser: runBrowser };

function chooseRuns(given: readonly string[]): {
  readonly runs: readonly Run[];
  readonly isLong: boolean;
} {
  const firstFlag = given.findIndex((arg) => arg.startsWith('-'));
  const args = firstFlag < 0 ? given : given.slice(0, firstFlag);
  const flags = firstFlag < 0 ? [] : given.slice(firstFlag).filter((arg) => arg !== '--');
  const [word, ...names] = args;
  const long = word === 'long';
  const all = Object.keys(long ? longSections : suites);
  const chosen = long ? names : args;
  const unknown = chosen.filter((name) => !all.includes(name));
  if (unknown.length > 0) {
    process.stderr.write(`Unknown: ${unknown.join(', ')}. Allowed: ${all.join(', ')}.\n`);
    process.exit(2);
  }
  const runs = all
    .filter((name) => chosen.length === 0 || chosen.includes(name))
    .map((name): Run => suites[name] ?? (() => runVitest(`long-${name}`, [`long ${name}`], flags)));
  return { runs, isLong: long };
}

const { runs, isLong } = chooseRuns(process.argv.slice(2));
mkdirSync(reports, { recursive: true });
const started = performance.now();

async function timeRun(run: Run, isLive: boolean) {
  const begun = performance.now();
  return { ...(await run(isLive)), wallSeconds: (performance.now() - begun) / 1000 };
}

const results: Awaited<ReturnType<typeof timeRun>>[] = [];
if (!isLong)
  results.push(...(await Promise.all(runs.map((run, index) => timeRun(run, index === 0)))));
else for (const run of runs) results.push(await timeRun(run, true));
const sum = (of: 'passed' | 'failed' | 'skipped') =>
  results.reduce((total, result) => total + result[of], 0);
const sums = { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') };
const lines = [
  ...timeReport(
    results.flatMap(({ files }) => files),
    isLong ? null : slowFiles,
  ),
  `Suites: ${results.map(({ wallSeconds }) => `${wallSeconds.toFixed(0)} s`).join(', ')}; in all ${((performance.now() - started) / 1000).toFixed(0)} s`,
];
// Thousands of lines lie between a failure and the end of the run.
for (const [title, names] of [
  ['Failed tests', results.flatMap(({ failures }) => failures)],
  ['Passed only when tried again', results.flatMap(({ flaky }) => flaky)],
] as const)
  if (names.length > 0) lines.push(`${title}:`, ...names.map((name) => `  ${name}`));
process.stdout.write(`\n${lines.join('\n')}\n\n${sumsLine(sums)}\n`);
process.exit(sums.failed > 0 || sums.passed === 0 ? 1 : 0);
