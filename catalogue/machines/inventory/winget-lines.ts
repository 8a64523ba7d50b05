/** Reads the table of `winget list` in any language: by its columns and the line of dashes below them. */
import type { InventoryLine } from './inventory-pieces.ts';
import type { LineReader } from './line-reader.ts';

const minColumns = 3;
const maxColumns = 5;
/** Tolerance for letters of another width: an emoji that another code page shows as four letters, and the like. */
const maxShift = 8;

/** The ellipsis of a cut cell, also misread in another code page: UTF-8 as 437, 850 or 1252, or as an invalid character. */
const cutMark = /(?:…|ΓÇª|ÔÇª|â€¦|\uFFFD)$/;
/** A question mark also stands for the ellipsis in identifiers and versions, which never contain one. */
const cutWord = /(?:…|ΓÇª|ÔÇª|â€¦|\uFFFD|\?)$/;

/** Name, identifier and version come first; available version and source may follow. */
export const readWingetList: LineReader = (lines, at, draft) => {
  if (isProgress(lines[at]?.text ?? '') || isTitle(lines, at)) {
    draft.countUnderstood('winget list');
    return 1;
  }
  if (!isHeading(lines, at)) return 0;
  const header = lines[at]?.text ?? '';
  const starts = columnStarts(header);
  let end = at + 2;
  for (; end < lines.length; end += 1) {
    const line = lines[end] as InventoryLine;
    if (isSummary(line.text)) {
      draft.countUnderstood('winget list');
      continue;
    }
    // A second table, of applications that are upgraded only by name.
    if (isHeading(lines, end) || isTitle(lines, end)) break;
    const row = parseRow(line.text, starts);
    if (row === null) break;
    const { name, identifier, version } = row;
    if (cutMark.test(name) || cutWord.test(identifier) || cutWord.test(version))
      draft.addUnreadable(line, 'winget cut this row off; give the output of winget export', {
        trouble: 'cutColumns',
      });
    else {
      draft.countUnderstood('winget list');
      // A word without a digit means that winget does not know the version: Unknown, in any language.
      draft.addApplication({ name, identifier, version: /\d/.test(version) ? version : null });
    }
  }
  draft.setFact('platform', 'windows');
  draft.countUnderstood('winget list', 2);
  return end - at;
};

function isHeading(lines: readonly InventoryLine[], at: number): boolean {
  if (!/^-{20,}$/.test(lines[at + 1]?.text ?? '')) return false;
  const heading = lines[at]?.text ?? '';
  // Tables with bars are of other tools, such as `dnf history`.
  if (heading.includes('|')) return false;
  const { length } = columnStarts(heading);
  return length >= minColumns && length <= maxColumns;
}

/** Matches the sentence above the second table of `winget upgrade`, in any language. */
const isTitle = (lines: readonly InventoryLine[], at: number): boolean =>
  /^\p{L}[^\d|]{10,200}[:：]$/u.test(lines[at]?.text ?? '') && isHeading(lines, at + 1);

/**
 * Matches the sentences below the rows, in any language: a count and words, without the gap of a column, or words with the option that
 * shows more.
 */
const isSummary = (text: string): boolean =>
  /^\d{1,6} ?\p{L}(?!.* {2})[^\d]{1,120}[.。]$/u.test(text) ||
  /--include-(?:unknown|pinned)\b/.test(text);

/** Blocks of a progress bar, also misread in another code page: UTF-8 as 437, 850 or 1252. */
const bar = /^\s*(?:[█▉▊▋▌▍▎▏▒░▓]|Γû[ÆêêÉÈ]|Ôû[êÆ]|â–[ˆ’Š‹Œ‘“”])+\s*[\d.,]{0,10}[^\n]{0,40}$/u;
/** A turning line, which winget draws while it waits. */
const spinner = /^\s{0,10}[-\\|/](?:\s+[-\\|/]){0,200}\s*$/;

const isProgress = (text: string): boolean => bar.test(text) || spinner.test(text);

/** Splits a row at the words nearest to the headings, because letters of another width in earlier cells shift them. */
function parseRow(text: string, [, second = 0, third = 0]: readonly number[]) {
  const words = splitWords(text);
  const identifier = nearest(words.slice(1), second);
  if (identifier === null) return null;
  const behind = words.filter(({ at }) => at > identifier.at);
  const version = nearest(behind, third + identifier.column - second);
  if (version === null) return null;
  return {
    name: text.slice(0, identifier.at).trim(),
    identifier: text.slice(identifier.at, version.at).trim(),
    // The next cell can be one space away when versions are short.
    version: /^(?:[<>] )?\S+/.exec(text.slice(version.at))?.[0] ?? '',
  };
}

interface Word {
  /** Index in the text. */
  readonly at: number;
  /** Column on the screen. */
  readonly column: number;
}

function splitWords(text: string): readonly Word[] {
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

/** Returns the screen columns in which the headings begin; a heading may have two words. */
function columnStarts(header: string): number[] {
  const headings = [...header.matchAll(/\S+(?: \S+)*/g)];
  // Columns are one space apart when their values are as short as the headings.
  const parts = headings.length >= minColumns ? headings : [...header.matchAll(/\S+/g)];
  return parts.map(({ index }) => screenWidth(header.slice(0, index)));
}

function screenWidth(text: string): number {
  let width = 0;
  for (const character of text) width += isWide(character) ? 2 : 1;
  return width;
}

/** East Asian letters and pictographs take two columns. */
const isWide = (character: string) =>
  /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{1F300}-\u{1FAFF}]/u.test(
    character,
  );
