/**
 * Rows in the format of PostgreSQL's `copy … from stdin`: one row per line, values separated by tabs, special characters escaped.
 */

export type CopyCell = string | null;

const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\b': '\\b',
  '\f': '\\f',
  '\v': '\\v',
};
const letters: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
  v: '\v',
};
const special = /[\\\n\r\t\b\f\v]/;
const allSpecial = /[\\\n\r\t\b\f\v]/g;

/** Returns the line without its line feed. */
export function copyLine(cells: readonly CopyCell[]): string {
  return cells.map(copyCell).join('\t');
}

function copyCell(cell: CopyCell): string {
  if (cell === null) return '\\N';
  // Most values have nothing to escape.
  return special.test(cell)
    ? cell.replace(allSpecial, (character) => escapes[character] ?? character)
    : cell;
}

export function parseCopyLine(line: string): CopyCell[] {
  return line.split('\t').map((cell) => {
    if (cell === '\\N') return null;
    return cell.includes('\\')
      ? cell.replace(/\\([\s\S])/g, (_, letter: string) => letters[letter] ?? letter)
      : cell;
  });
}

export const copyEnd = '\\.';
