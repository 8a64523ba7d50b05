/** The laws of docs/architecture.md, each with its reason in laws.ts; fails as well when the checker has read too few files. */
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { laws } from './laws.ts';
import { type ReadImports, readImports } from './read-imports.ts';
import { sourceFiles } from './source-files.ts';

const root = join(import.meta.dirname, '..');
const partsWithoutCycles = ['server', 'catalogue', 'console/src', 'contract'];

/** dependency-cruiser without a parser for this TypeScript reads nothing and reports success: count what it has read. */
function complaintsOfReader({ imports, files, unread }: ReadImports): readonly string[] {
  const complaints = unread.map((file) => `${file} was not read by the checker`);
  if (imports.length < files.length)
    complaints.push(
      `Only ${imports.length} imports were found in ${files.length} files; the checker must be broken`,
    );
  if (!imports.some(({ from, to }) => from.startsWith('server/') && to.startsWith('contract/')))
    complaints.push(
      'No import from server to contract was resolved; workspace names are not followed',
    );
  for (const part of partsWithoutCycles)
    if (folderGraph(imports, part, 1).size === 0)
      complaints.push(`No dependency between the folders of ${part} was found`);
  return complaints;
}

function complaintsOfLaws({ violations }: ReadImports): readonly string[] {
  return violations.map(({ from, to, rule }) => {
    const law = laws.find(({ name }) => name === rule);
    return `${from} -> ${to}: ${rule}: ${law?.reason ?? 'unknown law'}`;
  });
}

const isTest = (path: string) =>
  /\.(test|long|e2e)\.tsx?$|(^|\/)testing\/|test-setup\.ts$/.test(path);

/** The folders below `part`, at most `depth` steps, each with the folders that it imports. Tests may import from anywhere. */
function folderGraph(imports: ReadImports['imports'], part: string, depth: number) {
  const steps = part.split('/').length + depth;
  const getFolder = (file: string) => dirname(file).split('/').slice(0, steps).join('/');
  const graph = new Map<string, Set<string>>();
  for (const { from, to } of imports) {
    if (![from, to].every((path) => path.startsWith(`${part}/`) && !isTest(path))) continue;
    if (getFolder(from) === getFolder(to)) continue;
    graph.set(getFolder(from), (graph.get(getFolder(from)) ?? new Set()).add(getFolder(to)));
  }
  return graph;
}

/** A cycle of folders needs no cycle of files, and dependency-cruiser looks at files. Folders that import none of the rest are removed until only cycles, and the folders above them, are left. */
function complaintsOfFolders({ imports }: ReadImports): readonly string[] {
  return partsWithoutCycles.flatMap((part) =>
    [1, Number.POSITIVE_INFINITY].flatMap((depth) => {
      const graph = folderGraph(imports, part, depth);
      for (let size = -1; size !== graph.size; ) {
        size = graph.size;
        for (const [folder, targets] of graph)
          if (![...targets].some((target) => graph.has(target))) graph.delete(folder);
      }
      return graph.size === 0
        ? []
        : [
            `${[...graph.keys()].join(', ')}: no-folder-cycles: Folders that import each other cannot be read, tested or moved alone.`,
          ];
    }),
  );
}

/** Rules that oxlint lacks: every file has a name of its own, and no file only passes on what others export. */
function complaintsOfNames(): readonly string[] {
  const twins = Map.groupBy(
    sourceFiles().filter((file) => !file.endsWith('.config.ts')),
    (file) => basename(file),
  );
  return [...twins].flatMap(([name, files]) => {
    if (files.length > 1) return [`${files.join(', ')}: no two files share a name`];
    if (/^(index|utils?|helpers?|common|types|constants|misc|shared|lib)\.\w+$/.test(name))
      return [`${files[0]}: this name does not say what is in the file`];
    const code = readFileSync(join(root, files[0] ?? ''), 'utf8').replace(
      /\/\*[\s\S]*?\*\/|\/\/.*$/gm,
      '',
    );
    return /^(\s*export\s+(type\s+)?(\*|\{[^}]*\})\s+from\s+'[^']+';?\s*)+$/.test(code)
      ? [`${files[0]}: import from the files whose exports it passes on`]
      : [];
  });
}

const speaksSql =
  /(\bselect\b[\s\S]{1,200}\bfrom\b|\binsert into\b|\bupdate\b[\s\S]{1,80}\bset\b|\bdelete from\b)/i;
const maySpeakSql =
  /(-store\.ts|-sql\.ts|entry-writer\.ts|condition-meaning\.ts|^server\/platform\/database\/|\/testing\/|\.(test|long)\.ts)/;

/** Only stores speak SQL: what the import graph cannot show is read from the text. */
function complaintsOfSql({ files }: ReadImports): readonly string[] {
  const others = files.filter((name) => name.startsWith('server/') && !maySpeakSql.test(name));
  return others.flatMap((file) => {
    const code = readFileSync(join(root, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
    const strings = code.match(/`[^`]*`|'[^'\n]*'/g) ?? [];
    const guilty = strings.find((string) => speaksSql.test(string));
    return guilty === undefined ? [] : [`${file}: only stores speak SQL: ${guilty.slice(0, 60)}`];
  });
}

const read = await readImports();
const complaints = [
  ...complaintsOfReader(read),
  ...complaintsOfLaws(read),
  ...complaintsOfFolders(read),
  ...complaintsOfNames(),
  ...complaintsOfSql(read),
];
for (const complaint of complaints) process.stdout.write(`${complaint}\n`);
process.stdout.write(
  `boundary laws: ${read.modules} modules and ${read.imports.length} imports read, ${complaints.length} complaints\n`,
);
process.exit(complaints.length > 0 ? 1 : 0);
