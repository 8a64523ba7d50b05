/** Splits a pasted text into lines without their decoration, and the JSON documents that stand between them. */
import { jsonEnd, type ScanBudget } from './json-span.ts';

/** The longest line that any tool prints is far shorter; what is longer is no inventory. */
export const maxLineLength = 4096;

/** Outside of JSON, blank ones not counted: an inventory of a large machine has some ten thousand. */
const maxLines = 100_000;

export interface InventoryLine {
  /** From 1. */
  readonly number: number;
  /** Without control sequences, without white space at its end. */
  readonly text: string;
}

export type InventoryPiece =
  | { readonly kind: 'lines'; readonly lines: readonly InventoryLine[] }
  | { readonly kind: 'json'; readonly line: number; readonly lines: number; readonly text: string };

export interface SplitInventory {
  readonly pieces: readonly InventoryPiece[];
  /** The lines behind the limit, which were not looked at; null where there are none. */
  readonly rest: { readonly line: number; readonly lines: number } | null;
}

/** Blank lines are left out. */
export function inventoryPieces(text: string): SplitInventory {
  const pieces: InventoryPiece[] = [];
  const budget: ScanBudget = { left: 4 * text.length };
  let lines: InventoryLine[] = [];
  let [at, number, taken] = [0, 1, 0];
  while (at < text.length && taken < maxLines) {
    const start = firstNonBlank(text, at);
    const end = jsonEnd(text, start, budget);
    if (end === null) {
      const next = lineEnd(text, at);
      const line = cleanLine(text.slice(at, next));
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
    // What stands behind the document on its last line is a line of its own, under the same number.
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

/** On the same line. */
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

/** What most lines have nothing of. */
const decoration = new RegExp(`[\\u0000\\r\\uFEFF${escape}]`);

/**
 * Without colours, titles and byte order marks. A carriage return inside a line moves back to its beginning: what stands behind the
 * last one is what people see (progress bars of winget). Longer lines are cut behind the limit, so that they can be recognised as too long.
 */
function cleanLine(raw: string): string {
  if (!decoration.test(raw)) return raw.slice(0, 2 * maxLineLength).trimEnd();
  let line = raw.slice(0, 2 * maxLineLength);
  if (line.includes(escape)) line = line.replace(title, '').replace(colour, '');
  line = line.replaceAll('\uFEFF', '').replaceAll('\u0000', '').trimEnd();
  const back = line.lastIndexOf('\r');
  return back === -1 ? line : line.slice(back + 1);
}
