/** Splits a pasted text into lines without decoration, and the JSON documents between them. */

/** Far longer than any line that a tool prints; longer lines are not read. */
export const maxLineLength = 4096;

/** Limit of lines outside of JSON, without blank ones; a large machine's inventory has some ten thousand. */
const maxLines = 100_000;

export interface InventoryLine {
  /** From 1. */
  readonly number: number;
  /** Without control sequences and trailing white space. */
  readonly text: string;
}

export type InventoryPiece =
  | { readonly kind: 'lines'; readonly lines: readonly InventoryLine[] }
  | { readonly kind: 'json'; readonly line: number; readonly lines: number; readonly text: string };

interface SplitInventory {
  readonly pieces: readonly InventoryPiece[];
  /** The lines beyond the limit, which were not read; null when there are none. */
  readonly rest: { readonly line: number; readonly lines: number } | null;
}

/** Ends every line with a line feed: also those that a carriage return ends, alone or several of them before the line feed. */
export const withLineFeeds = (text: string): string =>
  text.includes('\r')
    ? text.replace(/\r+\n?/g, (end) => (end.endsWith('\n') ? '\n' : '\n'.repeat(end.length)))
    : text;

/**
 * Skips blank lines.
 * @param text - Without carriage returns.
 */
export function inventoryPieces(text: string): SplitInventory {
  const pieces: InventoryPiece[] = [];
  const budget: ScanBudget = { left: 4 * text.length };
  let lines: InventoryLine[] = [];
  const isDecorated = decoration.test(text);
  let [at, number, taken] = [0, 1, 0];
  while (at < text.length && taken < maxLines) {
    const start = firstNonBlank(text, at);
    const end = jsonEnd(text, start, budget);
    if (end === null) {
      const next = lineEnd(text, at);
      const line = cleanLine(text.slice(at, next), isDecorated);
      if (line !== '') {
        lines.push({ number, text: line });
        taken += 1;
      }
      at = next + 1;
      number += 1;
      continue;
    }
    if (lines.length > 0) pieces.push({ kind: 'lines', lines });
    lines = [];
    const json = text.slice(start, end);
    const count = newlines(json) + 1;
    pieces.push({ kind: 'json', line: number, lines: count, text: json });
    // Text behind the document on its last line is a separate line with the same number.
    const rest = text.slice(end, lineEnd(text, end)).trim() === '';
    at = rest ? lineEnd(text, end) + 1 : end;
    number += rest ? count : count - 1;
  }
  if (lines.length > 0) pieces.push({ kind: 'lines', lines });
  const left =
    at < text.length ? { line: number, lines: newlines(text.slice(at).trimEnd()) + 1 } : null;
  return { pieces, rest: left };
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

/** Searches the same line only. */
function firstNonBlank(text: string, from: number): number {
  let at = from;
  while (text[at] === ' ' || text[at] === '\t' || text[at] === '\uFEFF') at += 1;
  return at;
}

function newlines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

const escape = '\u001b';
const colour = new RegExp(`${escape}\\[[0-9;?]*[ -/]*[@-~]`, 'g');
const title = new RegExp(`${escape}\\][^\u0007${escape}]*(?:\u0007|${escape}\\\\)`, 'g');

/** Characters that most lines do not contain. */
const decoration = new RegExp(`[\\u0000\\uFEFF${escape}]`);

/** Removes colours, titles and byte order marks. Overlong lines are cut beyond the limit, so that they are still recognized as too long. */
function cleanLine(raw: string, isDecorated: boolean): string {
  if (!isDecorated || !decoration.test(raw)) return raw.slice(0, 2 * maxLineLength).trimEnd();
  let line = raw.slice(0, 2 * maxLineLength);
  if (line.includes(escape)) line = line.replace(title, '').replace(colour, '');
  return line.replaceAll('\uFEFF', '').replaceAll('\u0000', '').trimEnd();
}

const maxDepth = 64;

/** The number of characters that may still be scanned, so that a text full of opening braces costs only a few passes. */
interface ScanBudget {
  left: number;
}

/**
 * Returns the index behind the JSON document that begins at `from`, without parsing it; null if none exists, or when its end is
 * missing or nested too deeply.
 */
function jsonEnd(text: string, from: number, budget: ScanBudget): number | null {
  if (!beginsDocument(text, from, budget)) return null;
  let depth = 0;
  let inString = false;
  for (let at = from; at < text.length; at += 1) {
    budget.left -= 1;
    if (budget.left < 0) return null;
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === backslash) at += 1;
      else if (code === quote) inString = false;
    } else if (code === quote) inString = true;
    else if (code === openBrace || code === openBracket) {
      depth += 1;
      if (depth > maxDepth) return null;
    } else if (code === closeBrace || code === closeBracket) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return null;
}

const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

/** Matches `{"`, `{}`, `[{` and `[]` with white space between, but not the `[01]: KB4100347` of systeminfo. */
function beginsDocument(text: string, from: number, budget: ScanBudget): boolean {
  const opening = text[from];
  if (opening !== '{' && opening !== '[') return false;
  let at = from + 1;
  while (' \t\n'.includes(text[at] ?? 'x')) {
    at += 1;
    budget.left -= 1;
    if (budget.left < 0) return false;
  }
  return (opening === '{' ? '"}' : '{]').includes(text[at] ?? 'x');
}
