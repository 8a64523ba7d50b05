/** Reads a machine from pasted text: outputs of several tools, one below the other. */
import type { InventoryReading, InventoryTrouble } from '../machine.ts';
import { isRpmArchitecture } from './architectures.ts';
import { readCommandLine } from './command-lines.ts';
import { readDpkgLine } from './dpkg-lines.ts';
import {
  type InventoryLine,
  type InventoryPiece,
  inventoryPieces,
  maxLineLength,
  withLineFeeds,
} from './inventory-pieces.ts';
import { maxInventoryBytes } from './inventory-text.ts';
import { isObject } from './json-document.ts';
import { changesLineAbove, type KnownLines } from './known-lines.ts';
import type { LineReader } from './line-reader.ts';
import { MachineDraft } from './machine-draft.ts';
import { readAptList, readDnfList } from './package-list-lines.ts';
import {
  readLsbRelease,
  readOsRelease,
  readReleaseFile,
  readRevision,
  readSwVers,
  readUname,
  readVer,
} from './release-lines.ts';
import { readRestartDue } from './restart-lines.ts';
import { isRpmColumns, noteEpochs, readRpmLine } from './rpm-lines.ts';
import { readSbom } from './sbom-document.ts';
import { readSnapList } from './snap-lines.ts';
import {
  readHotfixList,
  readHotfixTable,
  readKbNumbers,
  readSysteminfo,
} from './systeminfo-lines.ts';
import { readWindowsDocument } from './windows-document.ts';
import { readWingetList } from './winget-lines.ts';
import { readZypperTable } from './zypper-lines.ts';

/** The first reader that accepts a line consumes it, so unambiguous formats come before ambiguous ones. */
const readers: readonly LineReader[] = [
  readOsRelease,
  readSwVers,
  readVer,
  readRevision,
  readCommandLine,
  readRestartDue,
  readSnapList,
  readSysteminfo,
  readHotfixTable,
  readHotfixList,
  readWingetList,
  readZypperTable,
  readLsbRelease,
  readReleaseFile,
  readUname,
  readKbNumbers,
  readAptList,
  readDnfList,
  readRpmLine,
  readDpkgLine,
];

/** Readers for lines that no earlier reader accepts. */
const rpmReaders = readers.slice(readers.indexOf(readRpmLine));

/** Readers whose lines mean the same anywhere. They come last: no other reader accepts such a line. */
const packageReaders: ReadonlySet<LineReader> = new Set([readRpmLine, readDpkgLine]);

/**
 * Reads an inventory and reports the lines that it cannot read.
 * @param known caches lines of earlier inventories. It does not change the result; equal lines then return the identical package.
 * @throws RangeError for a text longer than maxInventoryBytes letters.
 */
export function readInventory(given: string, known: KnownLines | null = null): InventoryReading {
  if (given.length > maxInventoryBytes)
    throw new RangeError(`An inventory has at most ${maxInventoryBytes} letters`);
  const text = withLineFeeds(given);
  const draft = new MachineDraft();
  const { pieces, rest } = inventoryPieces(text);
  for (const piece of pieces) {
    if (piece.kind === 'lines') readLines(piece.lines, draft, known);
    else readJson({ number: piece.line, text: piece.text }, piece.lines, draft);
  }
  if (rest !== null)
    draft.addUnreadable({ number: rest.line, text: '' }, 'Only the first 100,000 lines are read', {
      lines: rest.lines,
      trouble: 'tooManyLines',
    });
  if (text.includes('\uFFFD')) draft.addTrouble('encoding');
  if (isCutOff(text, pieces, draft)) draft.addTrouble('cutOff');
  if (!text.endsWith('\n')) draft.cutLastRow();
  return draft.finish();
}

function readLines(
  lines: readonly InventoryLine[],
  draft: MachineDraft,
  known: KnownLines | null,
): void {
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] as InventoryLine;
    const taken = line.text.length > maxLineLength ? 0 : readAt(lines, at, draft, known);
    if (taken === 0) draft.addUnreadable(line, ...whyUnreadable(line));
    at += Math.max(taken, 1);
  }
}

function readAt(
  lines: readonly InventoryLine[],
  at: number,
  draft: MachineDraft,
  known: KnownLines | null,
): number {
  const text = lines[at]?.text ?? '';
  const before = known?.get(text);
  if (before !== undefined && !changesLineAbove(lines[at + 1]?.text)) {
    draft.countUnderstood(before.format);
    draft.addPackage(before.found);
    noteEpochs(text, before.found, draft);
    return 1;
  }
  const { packages } = draft;
  const plain = isRpmColumns(text) && !changesLineAbove(lines[at + 1]?.text);
  for (const read of plain ? rpmReaders : readers) {
    const taken = read(lines, at, draft);
    if (taken === 0) continue;
    const added = draft.packages === packages + 1 ? draft.lastPackage : null;
    if (added !== null && packageReaders.has(read)) known?.add(text, added);
    return taken;
  }
  return 0;
}

function whyUnreadable({
  text,
}: InventoryLine): readonly [reason: string, options: { readonly trouble: InventoryTrouble }] {
  if (text.length > maxLineLength)
    return [`The line is longer than ${maxLineLength} letters`, { trouble: 'unknownLines' }];
  if (/^\s*[{[]/.test(text))
    return ['No known format; JSON must be complete', { trouble: 'incompleteJson' }];
  return isRpmArchitecture(text.slice(text.lastIndexOf('.') + 1))
    ? ['No package can have this name or version', { trouble: 'impossibleName' }]
    : ['No known format of an inventory', { trouble: 'unknownLines' }];
}

/**
 * Returns whether the text was cut off. Tools end their output with a line break; a last line without one that cannot be read may
 * be incomplete.
 */
function isCutOff(text: string, pieces: readonly InventoryPiece[], draft: MachineDraft): boolean {
  const last = pieces.at(-1);
  if (text.endsWith('\n') || last?.kind !== 'lines') return false;
  const line = last.lines.at(-1);
  return line !== undefined && draft.hasUnderstood && draft.isUnreadable(line);
}

function readJson(line: InventoryLine, lines: number, draft: MachineDraft): void {
  let document: unknown;
  try {
    document = JSON.parse(line.text);
  } catch {
    draft.addUnreadable(line, 'This is not valid JSON', { lines, trouble: 'incompleteJson' });
    return;
  }
  const known =
    (isObject(document) && readSbom(document, line, lines, draft)) ||
    readWindowsDocument(document, line, lines, draft);
  if (!known)
    draft.addUnreadable(
      line,
      'This JSON is neither CycloneDX, SPDX 2.3, Get-HotFix, Get-ComputerInfo nor winget export',
      { lines },
    );
}
