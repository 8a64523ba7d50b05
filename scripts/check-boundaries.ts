/** The laws of docs/architecture.md, each with its reason in laws.ts; fails as well when the checker has read too few files. */
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { cruise, type IReporterOutput } from 'dependency-cruiser';
import { z } from 'zod';
import { dependencyCount, folderCycles, folderGraph } from './folder-graph.ts';
import { laws } from './laws.ts';
import { sourceFiles } from './source-files.ts';

const root = join(import.meta.dirname, '..');

const Result = z.object({
  modules: z.array(
    z.object({
      source: z.string(),
      dependencies: z.array(z.object({ resolved: z.string(), couldNotResolve: z.boolean() })),
    }),
  ),
  summary: z.object({
    violations: z.array(
      z.object({ from: z.string(), to: z.string(), rule: z.object({ name: z.string() }) }),
    ),
  }),
});

const halves = ['catalogue', 'contract', 'server', 'console/src', 'client'];
const { output }: IReporterOutput = await cruise(
  halves,
  {
    baseDir: root,
    validate: true,
    ruleSet: {
      forbidden: laws.map(({ reason, ...rule }) => ({
        ...rule,
        comment: reason,
        severity: 'error' as const,
      })),
    },
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(node_modules|dist|fixtures)/' },
    outputType: 'json',
  },
  {},
);
const { modules, summary } = Result.parse(typeof output === 'string' ? JSON.parse(output) : output);

const complaints = summary.violations.map(({ from, to, rule }) => {
  const law = laws.find(({ name }) => name === rule.name);
  return `${from} -> ${to}: ${rule.name}: ${law?.reason ?? 'unknown law'}`;
});

// dependency-cruiser without a parser for this TypeScript reads nothing and reports success: count what it has read.
const read = new Set(modules.map(({ source }) => relative(root, join(root, source))));
const expected = sourceFiles().filter((file) => halves.some((half) => file.startsWith(`${half}/`)));
for (const file of expected)
  if (!read.has(file)) complaints.push(`${file} was not read by the checker`);
const imports = modules.reduce((sum, { dependencies }) => sum + dependencies.length, 0);
if (imports < expected.length)
  complaints.push(
    `Only ${imports} imports were found in ${expected.length} files; the checker must be broken`,
  );
const across = modules.flatMap(({ source, dependencies }) =>
  dependencies.filter(
    ({ resolved }) => source.startsWith('server/') && resolved.startsWith('contract/'),
  ),
);
if (across.length === 0)
  complaints.push(
    'No import from server to contract was resolved; workspace names are not followed',
  );
// A cycle of folders needs no cycle of files, and dependency-cruiser looks at files.
const resolvedImports = modules.flatMap(({ source, dependencies }) =>
  dependencies.map(({ resolved }) => ({ from: source, to: resolved })),
);
let folders = 0;
for (const part of ['server', 'catalogue', 'console/src', 'contract'])
  for (const depth of [1, Number.POSITIVE_INFINITY]) {
    const graph = folderGraph(resolvedImports, part, depth);
    folders += graph.size;
    if (dependencyCount(graph) === 0)
      complaints.push(
        `No dependency between the folders of ${part} was found; the checker must be broken`,
      );
    for (const cycle of folderCycles(graph))
      complaints.push(
        `${[...cycle, cycle[0]].join(' -> ')}: no-folder-cycles: A part that needs what needs it cannot be read, tested or moved alone.`,
      );
  }
// Only stores speak SQL: what the import graph cannot see is read from the text.
const speaksSql =
  /(\bselect\b[\s\S]{1,200}\bfrom\b|\binsert into\b|\bupdate\b[\s\S]{1,80}\bset\b|\bdelete from\b)/i;
const maySpeakSql =
  /(-store\.ts|-sql\.ts|entry-writer\.ts|^server\/platform\/database\/|\/testing\/|\.test\.ts)/;
for (const file of expected.filter(
  (name) => name.startsWith('server/') && !maySpeakSql.test(name),
)) {
  const code = readFileSync(join(root, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
  const strings = code.match(/`[^`]*`|'[^'\n]*'/g) ?? [];
  const guilty = strings.find((string) => speaksSql.test(string));
  if (guilty !== undefined)
    complaints.push(`${file}: only stores speak SQL: ${guilty.slice(0, 60)}`);
}

for (const complaint of complaints) process.stdout.write(`${complaint}\n`);
process.stdout.write(
  `boundary laws: ${modules.length} modules and ${imports} imports read, ${folders} folders, ${complaints.length} complaints\n`,
);
process.exit(complaints.length > 0 ? 1 : 0);
