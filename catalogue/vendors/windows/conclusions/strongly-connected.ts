/**
 * Finds the circles of a directed graph by Tarjan's algorithm, without recursion because chains can be long. Returns a number for each
 * node in a circle, equal for nodes that can reach each other; other nodes are missing.
 */
export function findCircles(
  nodes: Iterable<string>,
  next: (node: string) => Iterable<string>,
): ReadonlyMap<string, number> {
  const index = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const isOpen = new Set<string>();
  const circles = new Map<string, number>();
  let circle = 0;

  for (const start of nodes) {
    if (index.has(start)) continue;
    const path: { readonly node: string; readonly rest: Iterator<string> }[] = [];
    const enter = (node: string) => {
      index.set(node, index.size);
      lowest.set(node, index.size - 1);
      open.push(node);
      isOpen.add(node);
      path.push({ node, rest: next(node)[Symbol.iterator]() });
    };
    enter(start);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const { node, rest } = top;
      const step = rest.next();
      if (step.done !== true) {
        if (!index.has(step.value)) enter(step.value);
        else if (isOpen.has(step.value))
          lowest.set(node, Math.min(lowest.get(node) ?? 0, index.get(step.value) ?? 0));
        continue;
      }
      path.pop();
      const before = path.at(-1)?.node;
      if (before !== undefined)
        lowest.set(before, Math.min(lowest.get(before) ?? 0, lowest.get(node) ?? 0));
      if (lowest.get(node) !== index.get(node)) continue;
      const members = open.splice(open.indexOf(node));
      for (const member of members) isOpen.delete(member);
      if (members.length > 1) {
        for (const member of members) circles.set(member, circle);
        circle++;
      }
    }
  }
  return circles;
}
