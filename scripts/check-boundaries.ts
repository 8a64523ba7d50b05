/** The laws of docs/architecture.md, each with its reason in laws.ts; fails as well when the checker has read too few files. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dependencyCount, folderCycles, folderGraph } from './folder-graph.ts';
import { laws } from './laws.ts';
import { type ReadImports, readImports } from './read-imports.ts';

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
    if (dependencyCount(folderGraph(imports, part)) === 0)
      complaints.push(`No dependency between the folders of ${part} was found`);
  return complaints;
}

function complaintsOfLaws({ violations }: ReadImports): readonly string[] {
  return violations.map(({ from, to, rule }) => {
    const law = laws.find(({ name }) => name === rule);
    return `${from} -> ${to}: ${rule}: ${law?.reason ?? 'unknown law'}`;
  });
}

/** A cycle of folders needs no cycle of files, and dependency-cruiser looks at files. */
function complaintsOfFolders({ imports }: ReadImports): readonly string[] {
  const cycles = partsWithoutCycles.flatMap((part) =>
    [1, Number.POSITIVE_INFINITY].flatMap((depth) =>
      folderCycles(folderGraph(imports, part, depth)),
    ),
  );
  return cycles.map(
    (cycle) =>
      `${[...cycle, cycle[0]].join(' -> ')}: no-folder-cycles: Folders that import each other cannot be read, tested or moved alone.`,
  );
}

const speaksSql =
  /(\bselect\b[\s\S]{1,200}\bfrom\b|\binsert into\b|\bupdate\b[\s\S]{1,80}\bset\b|\bdelete from\b)/i;
const maySpeakSql =
  /(-store\.ts|-sql\.ts|entry-writer\.ts|^server\/platform\/database\/|\/testing\/|\.test\.ts)/;

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
  ...complaintsOfSql(read),
];
for (const complaint of complaints) process.stdout.write(`${complaint}\n`);
process.stdout.write(
  `boundary laws: ${read.modules} modules and ${read.imports.length} imports read, ${complaints.length} complaints\n`,
);
process.exit(complaints.length > 0 ? 1 : 0);
