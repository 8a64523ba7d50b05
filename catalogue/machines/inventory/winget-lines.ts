/** The table of `winget list`, in any language: known by its columns and the line of dashes below them. */
import type { InventoryLine } from './inventory-pieces.ts';
import type { LineReader } from './line-reader.ts';

const minColumns = 3;
const maxColumns = 5;

/** Name, identifier, version come first; available version and source may follow. */
export const readWingetList: LineReader = (lines, at, draft) => {
  const header = lines[at]?.text ?? '';
  if (!/^-{20,}$/.test(lines[at + 1]?.text ?? '')) return 0;
  const starts = columnStarts(header);
  if (starts.length < minColumns || starts.length > maxColumns) return 0;
  let end = at + 2;
  for (; end < lines.length; end += 1) {
    const line = lines[end] as InventoryLine;
    const [name = '', identifier = '', third = ''] = cells(line.text, starts);
    // With short versions the next heading is one space away, like the second word of a heading: its cell came along.
    const version = /^(?:[<>] )?\S+/.exec(third)?.[0] ?? '';
    if (name === '' || identifier === '' || !/\d/.test(version)) break;
    const cut = [name, identifier, version].some((cell) => cell.endsWith('…'));
    if (cut) draft.unreadable(line, 'winget cut this row off; give the output of winget export');
    else {
      draft.understood('winget list');
      draft.addApplication({ name, identifier, version });
    }
  }
  draft.setFact('platform', 'windows');
  draft.understood('winget list', 2);
  return end - at;
};

/** The columns of the screen in which the headings begin; a heading may be of two words. */
function columnStarts(header: string): number[] {
  const headings = [...header.matchAll(/\S+(?: \S+)*/g)];
  // Columns are one space apart where their values are as short as the headings.
  const parts = headings.length >= minColumns ? headings : [...header.matchAll(/\S+/g)];
  return parts.map(({ index }) => screenWidth(header.slice(0, index)));
}

function cells(text: string, starts: readonly number[]): string[] {
  const found = starts.map(() => '');
  let [width, column] = [0, 0];
  for (const character of text) {
    while (width >= (starts[column + 1] ?? Number.POSITIVE_INFINITY)) column += 1;
    found[column] += character;
    width += isWide(character) ? 2 : 1;
  }
  return found.map((cell) => cell.trim());
}

function screenWidth(text: string): number {
  let width = 0;
  for (const character of text) width += isWide(character) ? 2 : 1;
  return width;
}

/** East Asian letters take two columns. */
const isWide = (character: string) =>
  /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]/.test(
    character,
  );
