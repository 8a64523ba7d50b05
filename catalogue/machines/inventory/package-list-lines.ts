/**
 * Reads `apt list --installed`, and the lines that dnf and yum print around the rows of `list installed`, with rows that they wrap at
 * the width of the screen.
 */

import { isDebArchitecture } from './architectures.ts';
import { debPackage } from './dpkg-lines.ts';
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

const aptRow =
  /^([a-z0-9][a-z0-9+.-]{1,200})\/(\S{1,300}) (\S{1,200}) (\S{1,20})(?: {1,2}\[(.{1,300})\])?$/;

/**
 * The suite `now` marks an installed package; the words in brackets are in the shell's language. A line without it comes from
 * `apt list --upgradable`, where the brackets end with the installed version.
 */
export const readAptList: LineReader = (lines, at, draft) => {
  const line = lines[at];
  const text = line?.text ?? '';
  if (line === undefined) return 0;
  if (
    /^(?:WARNING: apt does not have|N: .{1,200}[^\w-]-a\b)/.test(text) ||
    isAptHeading(text, lines[at + 1]?.text)
  ) {
    draft.countUnderstood('apt list');
    return 1;
  }
  const [, name, suites, version, architecture, state] = aptRow.exec(text) ?? [];
  if (name === undefined || suites === undefined || version === undefined) return 0;
  if (architecture === undefined || !isDebArchitecture(architecture)) return 0;
  const installed = suites.split(',').includes('now') ? version : /: (\S+)$/.exec(state ?? '')?.[1];
  draft.countUnderstood('apt list');
  if (installed === undefined) return 1;
  const found = debPackage(name, installed, architecture, null, true);
  if (leftConfiguration.test(state ?? '')) draft.addRemoved(found);
  else draft.addPackage(found);
  return 1;
};

/**
 * Matches the word for configuration, which in every language only the brackets of a removed package contain: [residual-config],
 * [Konfiguration-verbleibend].
 */
const leftConfiguration =
  /[ck]onfig|cấu.hình|конфиг|настро|налашт|yapılandır|ayar|seadist|beállít|ρυθμίσ|διαμόρφ|asetu|設定|配置|組態|설정/iu;

/** Matches the heading above the first row, in any language: `Listing... Done`, `En train de lister... Fait`. */
const isAptHeading = (text: string, next: string | undefined) =>
  text.startsWith('Listing') ||
  (/^\p{L}[^/]{1,60}(?:\.\.\.|…)(?: ?\S+)?$/u.test(text) &&
    next !== undefined &&
    aptRow.test(next));
