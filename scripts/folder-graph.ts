/** The graph of folders behind the imports of a part of the house: what `npm run check` refuses cycles of, and what is drawn. */

export interface Import {
  /** Paths relative to the root. */
  readonly from: string;
  readonly to: string;
}

/** A folder, and the other folders that its files import, with the number of imports. */
export type FolderGraph = ReadonlyMap<string, ReadonlyMap<string, number>>;

const isTest = (path: string) => /\.(test|e2e)\.tsx?$|(^|\/)testing\/|test-setup\.ts$/.test(path);

/** The folder of a file, with at most `depth` steps below `part`. */
function folderOf(file: string, part: string, depth: number): string {
  const steps = file.split('/').slice(0, -1);
  return steps.slice(0, part.split('/').length + depth).join('/');
}

/**
 * @param part the folder whose subfolders are the nodes: 'server', 'console/src'
 * @param depth how many steps below it make a node of its own; deeper folders count as part of theirs
 * Tests are left out: they may import what they test from anywhere.
 */
export function folderGraph(
  imports: readonly Import[],
  part: string,
  depth = Number.POSITIVE_INFINITY,
): FolderGraph {
  const inPart = (path: string) => path.startsWith(`${part}/`) && !isTest(path);
  const graph = new Map<string, Map<string, number>>();
  const nodeOf = (folder: string) => {
    const known = graph.get(folder) ?? new Map<string, number>();
    graph.set(folder, known);
    return known;
  };
  for (const { from, to } of imports) {
    if (!inPart(from)) continue;
    const source = nodeOf(folderOf(from, part, depth));
    if (!inPart(to)) continue;
    const target = folderOf(to, part, depth);
    nodeOf(target);
    if (target !== folderOf(from, part, depth)) source.set(target, (source.get(target) ?? 0) + 1);
  }
  return graph;
}

/** One shortest cycle for each folder that lies on one and is not part of a cycle already found, as folders in order of import. */
export function folderCycles(graph: FolderGraph): readonly (readonly string[])[] {
  const found: (readonly string[])[] = [];
  const seen = new Set<string>();
  for (const start of [...graph.keys()].sort()) {
    if (seen.has(start)) continue;
    const cycle = shortestCycle(graph, start);
    if (cycle === null) continue;
    for (const folder of cycle) seen.add(folder);
    found.push(cycle);
  }
  return found;
}

/** Breadth first from `start` back to it; null where no path leads back. */
function shortestCycle(graph: FolderGraph, start: string): readonly string[] | null {
  const cameFrom = new Map<string, string | null>([[start, null]]);
  const queue = [start];
  for (let folder = queue.shift(); folder !== undefined; folder = queue.shift()) {
    for (const target of graph.get(folder)?.keys() ?? []) {
      if (target === start) return pathTo(folder, cameFrom);
      if (cameFrom.has(target)) continue;
      cameFrom.set(target, folder);
      queue.push(target);
    }
  }
  return null;
}

function pathTo(end: string, cameFrom: ReadonlyMap<string, string | null>): readonly string[] {
  const path: string[] = [];
  for (
    let step: string | null | undefined = end;
    step !== null && step !== undefined;
    step = cameFrom.get(step)
  )
    path.unshift(step);
  return path;
}

/** The number of dependencies between folders. */
export const dependencyCount = (graph: FolderGraph): number =>
  [...graph.values()].reduce((sum, targets) => sum + targets.size, 0);
