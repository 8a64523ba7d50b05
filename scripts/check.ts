/**
 * `npm run check`: types, lint, boundary laws, names, prose, commits, families, generated documents, unused code, format, then the tests (left out with --no-tests).
 * `npm run check -- family <name>`: what concerns one vendor's folder.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { checkFamily } from './family/check-family.ts';
import { sumsLine } from './sums.ts';

const root = join(import.meta.dirname, '..');

const [word, ...rest] = process.argv.slice(2);
if (word === 'family') process.exit(await checkFamily(rest[0]));
if (word !== undefined && (word !== '--no-tests' || rest.length > 0)) {
  process.stderr.write(
    'Usage: npm run check, npm run check -- --no-tests, npm run check -- family <name>\n',
  );
  process.exit(2);
}

interface Check {
  readonly name: string;
  readonly command: readonly string[];
}

const node = process.execPath;
const tool = (path: string, ...args: string[]) => [node, `node_modules/${path}`, ...args];

const checks: readonly Check[] = [
  ...['catalogue', 'contract', 'server', 'console', 'client', '.'].map((project) => ({
    name: `types (${project === '.' ? 'scripts, bench, e2e' : project})`,
    command: tool('typescript/bin/tsc', '-p', project),
  })),
  { name: 'lint', command: tool('oxlint/bin/oxlint', '--type-aware', '--deny-warnings') },
  { name: 'boundary laws', command: [node, 'scripts/check-boundaries.ts'] },
  { name: 'names', command: [node, 'scripts/check-names.ts'] },
  { name: 'prose', command: [node, 'scripts/check-prose.ts'] },
  { name: 'commits', command: [node, 'scripts/check-commits.ts'] },
  { name: 'families', command: [node, 'scripts/check-families.ts'] },
  { name: 'documents', command: [node, 'scripts/write-documents.ts', '--check'] },
  { name: 'unused code', command: tool('knip/bin/knip.js', '--no-progress') },
  {
    name: 'format and order of imports',
    command: tool('@biomejs/biome/bin/biome', 'check', '--linter-enabled=false', '.'),
  },
];

const failed: string[] = [];
for (const { name, command } of checks) {
  const started = performance.now();
  const { status } = spawnSync(command[0] as string, command.slice(1), {
    cwd: root,
    stdio: 'inherit',
  });
  process.stdout.write(
    `${status === 0 ? 'ok    ' : 'FAILED'} ${name} (${Math.round(performance.now() - started)} ms)\n`,
  );
  if (status !== 0) failed.push(name);
}
process.stdout.write(
  `\nchecks: ${sumsLine({ passed: checks.length - failed.length, failed: failed.length, skipped: 0 })}\n`,
);

const withTests = word !== '--no-tests';
const tests = withTests
  ? spawnSync('node', ['scripts/test.mjs'], { cwd: root, stdio: 'inherit' }).status
  : 0;
process.exit(failed.length > 0 || tests !== 0 ? 1 : 0);
