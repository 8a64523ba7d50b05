/** Reads the lines that dnf and yum print around the rows of `list installed`, and rows that they wrap at the width of the screen. */
import { inventoryFields } from './inventory-fields.ts';
import type { InventoryLine } from './inventory-pieces.ts';
import { isDnfContinuation } from './known-lines.ts';
import type { LineReader } from './line-reader.ts';
import { parseDnfPackage } from './rpm-lines.ts';

/** Name, version and repository each on a line of its own. */
const maxRowLines = 3;
const maxRowLength = 512;

export const readDnfList: LineReader = (lines, at, draft) => {
  if (isHeading(lines, at) || isPreamble(lines[at]?.text ?? '')) {
    draft.countUnderstood('rpm');
    return 1;
  }
  const row = rowAt(lines, at);
  if (row === null || row.count === 1) return 0;
  draft.addPackage(row.found);
  draft.countUnderstood('rpm', row.count);
  return row.count;
};

/** A row in one line is one of rpm as well, and is read there. */
function rowAt(lines: readonly InventoryLine[], at: number) {
  let text = lines[at]?.text ?? '';
  if (!/^\S+\.\w+(?:\s|$)/.test(text)) return null;
  let count = 1;
  for (; count < maxRowLines; count += 1) {
    const next = lines[at + count]?.text;
    if (next === undefined || !isDnfContinuation(next)) break;
    text += next;
  }
  const fields = text.length > maxRowLength ? [] : inventoryFields(text);
  const found = fields.length === 3 ? parseDnfPackage(fields) : null;
  return found === null ? null : { found, count };
}

/** `Installed Packages`, `Kurulu Paketler`: words of any language above the first row. */
const isHeading = (lines: readonly InventoryLine[], at: number) =>
  /^\p{L}[^\d:/@]{1,60}$/u.test(lines[at]?.text ?? '') && rowAt(lines, at + 1) !== null;

/** The age of the metadata stands in a line of any language; yum's plugins print English alone. */
const preamble = [
  /^\p{L}[^\d]{5,60}: ?[^\d]{0,20}\d{1,4}:\d\d:\d\d\b.{0,80}\d{4}\b.{0,40}$/u,
  /^Loaded plugins: [\w, -]{1,200}$/,
  /^Loading mirror speeds from cached hostfile$/,
  /^ \* [\w.-]{1,60}: [\w.-]{1,100}$/,
  /^Updating Subscription Management repositories\.$/,
];

const isPreamble = (text: string) => preamble.some((form) => form.test(text));
