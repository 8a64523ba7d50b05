/** The table of `winget list`, in any language: known by its columns and the line of dashes below them. */
import type { InventoryLine } from './inventory-pieces.ts';
import type { LineReader } from './line-reader.ts';

const minColumns = 3;
const maxColumns = 5;
/** Letters of an emoji that another code page shows as four, and the like. */
const maxShift = 8;

/** The ellipsis of a cut cell, also where it was read in another code page: UTF-8 in 437, 850 and 1252, or none of its letters. */
const cutMark = /(?:…|ΓÇª|ÔÇª|â€¦|\uFFFD)$/;
/** Neither an identifier nor a version has a question mark: it stands for the ellipsis. */
const cutWord = /(?:…|ΓÇª|ÔÇª|â€¦|\uFFFD|\?)$/;

/** Name, identifier, version come first; available version and source may follow. */
export const readWingetList: LineReader = (lines, at, draft) => {
  const header = lines[at]?.text ?? '';
  if (!/^-{20,}$/.test(lines[at + 1]?.text ?? '')) return 0;
  const starts = columnStarts(header);
  if (starts.length < minColumns || starts.length > maxColumns) return 0;
  let end = at + 2;
  for (; end < lines.length; end += 1) {
    const line = lines[end] as InventoryLine;
    const row = rowOf(line.text, starts);
    if (row === null) break;
    const { name, identifier, version } = row;
    if (cutMark.test(name) || cutWord.test(identifier) || cutWord.test(version))
      draft.unreadable(line, 'winget cut this row off; give the output of winget export', {
        trouble: 'cutColumns',
      });
    else {
      draft.understood('winget list');
      // A word without a number says that winget does not know the version: Unknown, in any language.
      draft.addApplication({ name, identifier, version: /\d/.test(version) ? version : null });
    }
  }
  draft.setFact('platform', 'windows');
  draft.understood('winget list', 2);
  return end - at;
};

interface WingetRow {
  readonly name: string;
  readonly identifier: string;
  readonly version: string;
}

/** Cells begin with the words that stand nearest to the headings: letters of another width in the cells before move them. */
function rowOf(text: string, [, second = 0, third = 0]: readonly number[]): WingetRow | null {
  const words = wordsOf(text);
  const identifier = nearest(words.slice(1), second);
  if (identifier === null) return null;
  const behind = words.filter(({ at }) => at > identifier.at);
  const version = nearest(behind, third + identifier.column - second);
  if (version === null) return null;
  return {
    name: text.slice(0, identifier.at).trim(),
    identifier: text.slice(identifier.at, version.at).trim(),
    // With short versions the next cell is one space away.
    version: /^(?:[<>] )?\S+/.exec(text.slice(version.at))?.[0] ?? '',
  };
}

interface Word {
  /** In the text. */
  readonly at: number;
  /** On the screen. */
  readonly column: number;
}

function wordsOf(text: string): readonly Word[] {
  const words: Word[] = [];
  let [at, column, before] = [0, 0, ' '];
  for (const character of text) {
    if (before === ' ' && character !== ' ') words.push({ at, column });
    at += character.length;
    column += isWide(character) ? 2 : 1;
    before = character;
  }
  return words;
}

function nearest(words: readonly Word[], column: number): Word | null {
  let best: Word | null = null;
  for (const word of words) {
    const distance = Math.abs(word.column - column);
    if (distance > maxShift) continue;
    if (best === null || distance < Math.abs(best.column - column)) best = word;
  }
  return best;
}

/** The columns of the screen in which the headings begin; a heading may be of two words. */
function columnStarts(header: string): number[] {
  const headings = [...header.matchAll(/\S+(?: \S+)*/g)];
  // Columns are one space apart where their values are as short as the headings.
  const parts = headings.length >= minColumns ? headings : [...header.matchAll(/\S+/g)];
  return parts.map(({ index }) => screenWidth(header.slice(0, index)));
}

function screenWidth(text: string): number {
  let width = 0;
  for (const character of text) width += isWide(character) ? 2 : 1;
  return width;
}

/** East Asian letters and pictures take two columns. */
const isWide = (character: string) =>
  /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{1F300}-\u{1FAFF}]/u.test(
    character,
  );
