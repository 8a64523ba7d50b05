/** Reports of Vitest and Playwright, read into one form. */
import { relative } from 'node:path';
import { z } from 'zod';
import type { Sums } from './sums.ts';

export interface FileResult {
  /** Relative to the root. */
  readonly file: string;
  readonly seconds: number;
  readonly failed: boolean;
}

export interface SuiteResult extends Sums {
  readonly files: readonly FileResult[];
  /** File and title of each test that failed. */
  readonly failures: readonly string[];
  /** File and title of each test that passed in its second try. */
  readonly flaky: readonly string[];
}

const VitestReport = z.object({
  numTotalTests: z.number(),
  success: z.boolean(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      startTime: z.number(),
      endTime: z.number(),
      assertionResults: z.array(z.object({ status: z.string(), fullName: z.string() })),
    }),
  ),
});

/** @param root - Folder that file names are relative to. */
export function readVitestReport(report: unknown, root: string): SuiteResult {
  const { testResults } = VitestReport.parse(report);
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const count = (...states: string[]) =>
    tests.filter(({ status }) => states.includes(status)).length;
  const failures = testResults
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, assertionResults }) => {
      const failed = assertionResults.filter(({ status }) => status === 'failed');
      const file = relative(root, name);
      return failed.length === 0
        ? [`${file}: failed outside its tests`]
        : failed.map(({ fullName }) => `${file}: ${fullName}`);
    });
  return {
    passed: count('passed'),
    failed: failures.length,
    skipped: count('pending', 'skipped', 'disabled', 'todo'),
    failures,
    flaky: [],
    files: testResults.map(({ name, status, startTime, endTime }) => ({
      file: relative(root, name),
      seconds: Math.max(0, endTime - startTime) / 1000,
      failed: status === 'failed',
    })),
  };
}

const PlaywrightSpec = z.object({
  title: z.string(),
  file: z.string(),
  tests: z.array(
    z.object({ status: z.string(), results: z.array(z.object({ duration: z.number() })) }),
  ),
});
interface PlaywrightGroup {
  readonly specs: readonly z.infer<typeof PlaywrightSpec>[];
  readonly suites?: readonly PlaywrightGroup[] | undefined;
}
const PlaywrightGroup: z.ZodType<PlaywrightGroup> = z.object({
  specs: z.array(PlaywrightSpec),
  get suites() {
    return z.array(PlaywrightGroup).optional();
  },
});
const PlaywrightReport = z.object({
  suites: z.array(PlaywrightGroup),
  errors: z.array(z.object({ message: z.string().optional() })),
});

export function readPlaywrightReport(report: unknown): SuiteResult {
  const { suites, errors } = PlaywrightReport.parse(report);
  const specs = suites.flatMap(flattenSpecs);
  const titles = (state: string) =>
    specs
      .filter(({ tests }) => tests.some(({ status }) => status === state))
      .map(({ file, title }) => `e2e/${file}: ${title}`);
  const count = (...states: string[]) =>
    specs.flatMap(({ tests }) => tests).filter(({ status }) => states.includes(status)).length;
  const unexpected = titles('unexpected');
  const failures =
    unexpected.length > 0 ? unexpected : errors.map(({ message }) => message ?? 'Unknown error');
  return {
    passed: count('expected', 'flaky'),
    failed: failures.length,
    skipped: count('skipped'),
    failures,
    flaky: titles('flaky'),
    files: [...Map.groupBy(specs, ({ file }) => file)].map(([file, all]) => ({
      file: `e2e/${file}`,
      seconds:
        all
          .flatMap(({ tests }) => tests)
          .flatMap(({ results }) => results)
          .reduce((sum, { duration }) => sum + duration, 0) / 1000,
      failed: false,
    })),
  };
}

const flattenSpecs = ({ specs, suites = [] }: PlaywrightGroup): PlaywrightGroup['specs'] => [
  ...specs,
  ...suites.flatMap(flattenSpecs),
];

/** Of a file beside the files of the other suite: about 10 alone. */
const slowSeconds = 20;

/** Lines with the seconds of each area and the ten slowest files; `allowed` names the slow files that have a reason, null allows all. */
export function timeReport(
  files: readonly FileResult[],
  allowed: Readonly<Record<string, string>> | null,
): readonly string[] {
  const areas = Map.groupBy(files, ({ file }) => file.split('/')[0] ?? '');
  const total = (of: readonly FileResult[]) => of.reduce((sum, { seconds }) => sum + seconds, 0);
  const slowest = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, 10);
  return [
    'Seconds of test files:',
    ...[...areas].map(
      ([area, of]) =>
        `  ${area.padEnd(10)} ${total(of).toFixed(0).padStart(5)}  ${of.length} files`,
    ),
    'Slowest files:',
    ...slowest.map(({ file, seconds }) => {
      const reason = allowed?.[file];
      const remark =
        allowed === null || seconds <= slowSeconds
          ? ''
          : `  (${reason ?? `over ${slowSeconds} s: make it faster or move it to test:long`})`;
      return `  ${seconds.toFixed(1).padStart(6)}  ${file}${remark}`;
    }),
  ];
}
