/** The generated part of docs/architecture.md: the drawing of the modules and the table of folders, made from the imports. */

import type { Import } from './folder-graph.ts';
import { folderSentences } from './folder-sentences.ts';

const isTest = (path: string) => /\.(test|e2e)\.tsx?$|(^|\/)testing\/|test-setup\.ts$/.test(path);

/** The module that a file belongs to: a layer of the server, or one of the other parts. Null for what is not the product's. */
export function moduleOf(file: string): string | null {
  const [part = '', layer = ''] = file.split('/');
  if (part === 'server') return layer.includes('.') ? 'server' : `server/${layer}`;
  return ['catalogue', 'contract', 'console', 'client'].includes(part) ? part : null;
}

/** Module → the modules that its files import. */
export function moduleImports(
  imports: readonly Import[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const graph = new Map<string, Set<string>>();
  for (const { from, to } of imports) {
    if (isTest(from) || isTest(to)) continue;
    const source = moduleOf(from);
    const target = moduleOf(to);
    if (source === null || target === null) continue;
    const targets = graph.get(source) ?? new Set<string>();
    graph.set(source, targets);
    if (!graph.has(target)) graph.set(target, new Set());
    if (source !== target) targets.add(target);
  }
  return graph;
}

/** The graph without the imports that follow from others: a → c is left out where a → b → c. The graph must have no cycle. */
export function reducedGraph(
  graph: ReadonlyMap<string, ReadonlySet<string>>,
): ReadonlyMap<string, readonly string[]> {
  const reaches = (from: string, to: string): boolean =>
    [...(graph.get(from) ?? [])].some((next) => next === to || reaches(next, to));
  return new Map(
    [...graph].map(([source, targets]) => {
      const direct = [...targets].filter(
        (target) => ![...targets].some((other) => other !== target && reaches(other, target)),
      );
      return [source, direct.toSorted()];
    }),
  );
}

/** A Mermaid flowchart, importing modules above the imported ones. */
export function drawing(imports: readonly Import[]): string {
  const graph = reducedGraph(moduleImports(imports));
  const id = (module: string) => module.replaceAll('/', '_');
  const label = (module: string) =>
    module === 'server' ? 'server/app.ts, main.ts' : module.replace('console', 'console/src');
  const modules = [...graph.keys()].toSorted();
  return [
    'flowchart TD',
    ...modules.map((module) => `  ${id(module)}["${label(module)}"]`),
    ...modules.flatMap((source) =>
      (graph.get(source) ?? []).map((target) => `  ${id(source)} --> ${id(target)}`),
    ),
  ].join('\n');
}

/** The folders that the table explains: the server's modules with their folders, and the folders directly in the other parts. */
export function foldersOf(files: readonly string[]): readonly string[] {
  const folders = files.flatMap((file) => {
    const steps = file.split('/').slice(0, -1);
    if (steps.includes('testing') && steps[0] !== 'server') return [];
    const depth = steps[0] === 'server' || steps[0] === 'console' ? 3 : 2;
    return [steps.slice(0, 2).join('/'), steps.slice(0, depth).join('/')];
  });
  return [...new Set(folders)]
    .filter((folder) => !/^(server|console\/src)$|\/testing$/.test(folder))
    .toSorted();
}

/** Throws where a folder has no sentence, or a sentence no folder. */
export function folderTable(files: readonly string[]): string {
  const folders = foldersOf(files);
  const missing = folders.filter((folder) => folderSentences[folder] === undefined);
  const stale = Object.keys(folderSentences).filter((folder) => !folders.includes(folder));
  if (missing.length > 0 || stale.length > 0)
    throw new Error(
      `scripts/folder-sentences.ts lacks ${missing.join(', ') || 'nothing'}; it names ${stale.join(', ') || 'nothing'} that is not there.`,
    );
  const rows = folders.map((folder) => `| \`${folder}\` | ${folderSentences[folder]} |`);
  return ['| folder | purpose |', '|---|---|', ...rows].join('\n');
}

/** The page with its two generated parts replaced. Throws where the page lacks a mark. */
export function architecturePage(
  page: string,
  { imports, files }: { readonly imports: readonly Import[]; readonly files: readonly string[] },
): string {
  const withDrawing = replacePart(page, 'drawing', `\`\`\`mermaid\n${drawing(imports)}\n\`\`\``);
  return replacePart(withDrawing, 'folders', folderTable(files));
}

function replacePart(page: string, name: string, text: string): string {
  const [start, end] = [`<!-- ${name}: written by npm run docs -->`, `<!-- end of ${name} -->`];
  const [from, to] = [page.indexOf(start), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`docs/architecture.md lacks '${start}' and '${end}'.`);
  return `${page.slice(0, from + start.length)}\n\n${text}\n\n${page.slice(to)}`;
}
