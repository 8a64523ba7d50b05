/** Follows the code blocks of a how-to: each begins with a comment that names the file, and says where the code goes. */

export interface HowToEdit {
  /** Relative to the root of the repository. */
  readonly file: string;
  /** `create`: a new file. `below`, `above` and `replace` name a line that occurs once in the file. */
  readonly kind: 'create' | 'below' | 'above' | 'replace';
  /** Without its indentation; empty for `create`. ` … ` separates a line from one further below. */
  readonly line: string;
  /** Ends with a line feed. */
  readonly code: string;
}

const heading =
  /^\/\/ (?<file>[\w./-]+)(?: \((?<create>new)\)|, (?<kind>below|above|in place of): (?<line>.+))$/;

/** The edits in their order. Throws where a block of TypeScript does not name its file. */
export function howToEdits(markdown: string): readonly HowToEdit[] {
  const blocks = markdown.matchAll(/^( *)```tsx?\n([\s\S]*?)^\1```$/gm);
  return Array.from(blocks, ([, indent = '', block = '']) => {
    const [first = '', ...code] = block.split('\n').map((line) => line.slice(indent.length));
    const { file = '', kind = '', line = '' } = heading.exec(first)?.groups ?? {};
    if (file === '')
      throw new Error(
        `A code block begins with '${first}', not with '// path/to/file.ts (new)' or '// path/to/file.ts, below: line'.`,
      );
    const kinds = { below: 'below', above: 'above', 'in place of': 'replace' } as const;
    return {
      file,
      kind: kinds[kind as keyof typeof kinds] ?? 'create',
      line: line.trim(),
      code: code.join('\n'),
    };
  });
}

/** The text of a file after an edit; `text` is null where there is no file. Throws when the edit does not fit. */
export function applyEdit(text: string | null, { file, kind, line, code }: HowToEdit): string {
  if (kind === 'create') {
    if (text !== null) throw new Error(`${file} is there already`);
    return code;
  }
  if (text === null) throw new Error(`${file} is not there`);
  const lines = text.split('\n');
  const place = placeOfLine(file, lines, line.split(' … '));
  const added = code.replace(/\n$/, '').split('\n');
  const start = kind === 'below' ? place + 1 : place;
  return lines.toSpliced(start, kind === 'replace' ? 1 : 0, ...added).join('\n');
}

/** The first step must stand once in the file; each further step is the next such line below. */
function placeOfLine(file: string, lines: readonly string[], steps: readonly string[]): number {
  const [first = '', ...further] = steps;
  const places = lines.flatMap((one, place) => (one.trim() === first ? [place] : []));
  const [start] = places;
  if (start === undefined || places.length > 1)
    throw new Error(`${file} has the line '${first}' ${places.length} times, not once`);
  return further.reduce((above, step) => {
    const place = lines.findIndex((one, index) => index > above && one.trim() === step);
    if (place < 0) throw new Error(`${file} lacks the line '${step}' below '${first}'`);
    return place;
  }, start);
}
