/** Runs a program of the product like an administrator at the terminal. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { childEnvironment } from './child-environment.ts';

export interface ProgramResult {
  readonly code: number;
  /** Standard output and standard error. */
  readonly output: string;
}

export async function runMain(
  main: URL,
  environment: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<ProgramResult> {
  const env = { ...childEnvironment, ...environment };
  const { stdout, stderr, code } = await promisify(execFile)(
    process.execPath,
    [main.pathname, ...args],
    { env },
  ).then(
    (done) => ({ ...done, code: 0 }),
    (failed: { stdout: string; stderr: string; code: number }) => failed,
  );
  return { code, output: stdout + stderr };
}
