/** Decides which elements of an XML document are records: those to which a path leads. */

export class RecordPaths {
  /** The allowed names of the document's outermost element. */
  readonly roots: ReadonlySet<string>;
  readonly #paths: readonly (readonly string[])[];
  readonly #names: ReadonlySet<string>;
  readonly #isRecord: (name: string) => boolean;

  /**
   * @param paths lead from the root: 'updates/update', or 'updates/*' for all elements there.
   * @param isRecord decides which names are records where a path ends in '*'.
   */
  constructor(paths: readonly string[], isRecord: (name: string) => boolean) {
    this.#paths = paths.map((path) => path.split('/'));
    this.roots = new Set(this.#paths.flatMap(([root]) => root ?? []));
    this.#names = new Set(this.#paths.flat());
    this.#isRecord = isRecord;
  }

  /** Returns whether a path leads to the last of these elements, given from the root. Called for every element outside of records. */
  leadTo(elements: readonly string[]): boolean {
    for (const path of this.#paths) if (leadsTo(path, elements)) return true;
    return false;
  }

  /**
   * Returns the depth of the open element that must end where an element of that name begins; -1 for none. Called for every
   * element.
   */
  depthToEnd(open: readonly string[], name: string): number {
    const isRecord = this.#isRecord(name);
    if (!isRecord && !this.#names.has(name)) return -1;
    for (let depth = 1; depth < open.length; depth += 1) {
      const isOpen = open[depth] === name;
      for (const path of this.#paths) {
        const step = path[depth];
        if (step === '*' ? isRecord : isOpen && step === name) return depth;
      }
    }
    return -1;
  }
}

function leadsTo(path: readonly string[], elements: readonly string[]): boolean {
  if (path.length !== elements.length) return false;
  const last = path.length - 1;
  for (let depth = 0; depth < last; depth += 1) if (path[depth] !== elements[depth]) return false;
  return path[last] === '*' || path[last] === elements[last];
}
