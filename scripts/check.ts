/** `npm run check`: types, lint, boundary laws, commits, documents, unused code and format, two at once. Tests are `npm test`. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { sumsLine } from './sums.ts';

const root = join(import.meta.dirname, '..');
const atOnce = 2;

/** The slowest first. Modules of Node share one program: their types differ in nothing but the folder. */
const checks: readonly (readonly [name: string, ...args: string[]])[] = [
  ['types', 'node_modules/typescript/bin/tsc', '-p', '.'],
  ['types of the console', 'node_modules/typescript/bin/tsc', '-p', 'console'],
  ['lint', 'node_modules/oxlint/bin/oxlint', '--type-aware', '--deny-warnings'],
  ['boundary laws', 'scripts/check-boundaries.ts'],
  ['unused code', 'node_modules/knip/bin/knip.js', '--no-progress'],
  ['format', 'node_modules/@biomejs/biome/bin/biome', 'check', '--linter-enabled=false', '.'],
  ['documents', 'scripts/check-documents.ts'],
  ['commits', 'scripts/check-commits.ts'],
];

const secondsSince = (start: number) => ((performance.now() - start) / 1000).toFixed(1);

/** Prints the output in one piece when the check ends. */
function passes([name, ...args]: (typeof checks)[number]): Promise<boolean> {
  const start = performance.now();
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (piece: Buffer) => (output += piece.toString()));
    child.once('close', (code) => {
      const state = code === 0 ? 'ok    ' : 'FAILED';
      process.stdout.write(`${output}${state} ${name} (${secondsSince(start)} s)\n`);
      resolve(code === 0);
    });
  });
}

const start = performance.now();
const waiting = [...checks];
let failed = 0;
async function work(): Promise<void> {
  for (let check = waiting.shift(); check !== undefined; check = waiting.shift())
    if (!(await passes(check))) failed += 1;
}
await Promise.all(Array.from({ length: atOnce }, work));
process.stdout.write(`\n${secondsSince(start)} s\n`);
process.stdout.write(
  `checks: ${sumsLine({ passed: checks.length - failed, failed, skipped: 0 })}\n`,
);
process.exit(failed > 0 ? 1 : 0);
