/** Reads a machine from what people paste: outputs of several tools, one below the other. */
import type { InventoryReading, InventoryTrouble } from '../machine.ts';
import { readAptList } from './apt-list-lines.ts';
import { isRpmArchitecture } from './architectures.ts';
import { readCommandLine } from './command-lines.ts';
import { readDnfList } from './dnf-list-lines.ts';
import { readDpkgLine } from './dpkg-lines.ts';
import { readHotfixList, readHotfixTable, readKbNumbers } from './hotfix-lines.ts';
import {
  type InventoryLine,
  type InventoryPiece,
  inventoryPieces,
  maxLineLength,
} from './inventory-pieces.ts';
import { maxInventoryBytes } from './inventory-text.ts';
import { isObject } from './json-document.ts';
import { readUname } from './kernel-lines.ts';
import { changesLineAbove, type KnownLines } from './known-lines.ts';
import type { LineReader } from './line-reader.ts';
import { MachineDraft } from './machine-draft.ts';
import {
  readLsbRelease,
  readOsRelease,
  readReleaseFile,
  readRevision,
  readSwVers,
  readVer,
} from './release-lines.ts';
import { isRpmColumns, readRpmLine } from './rpm-lines.ts';
import { readSbom } from './sbom-document.ts';
import { readSysteminfo } from './systeminfo-lines.ts';
import { readWindowsDocument } from './windows-document.ts';
import { readWingetList } from './winget-lines.ts';

/** The first that takes a line has it: what only one format can be comes before what several could be. */
const readers: readonly LineReader[] = [
  readOsRelease,
  readSwVers,
  readVer,
  readRevision,
  readCommandLine,
  readSysteminfo,
  readHotfixTable,
  readHotfixList,
  readWingetList,
  readLsbRelease,
  readReleaseFile,
  readUname,
  readKbNumbers,
  readAptList,
  readDnfList,
  readRpmLine,
  readDpkgLine,
];

/** Of a line that no reader before them takes. */
const rpmReaders = readers.slice(readers.indexOf(readRpmLine));

/** Whose lines say the same wherever they stand. They come last: no other reader takes such a line. */
const packageReaders: ReadonlySet<LineReader> = new Set([readRpmLine, readDpkgLine]);

/**
 * Throws RangeError for a text longer than maxInventoryBytes letters; anything else is read, and says what it could not read.
 * `known`: lines of inventories that were read before. The result is the same without; equal lines then give the very same package.
 */
export function readInventory(text: string, known: KnownLines | null = null): InventoryReading {
  if (text.length > maxInventoryBytes)
    throw new RangeError(`An inventory has at most ${maxInventoryBytes} letters`);
  const draft = new MachineDraft();
  const { pieces, rest } = inventoryPieces(text);
  for (const piece of pieces) {
    if (piece.kind === 'lines') readLines(piece.lines, draft, known);
    else readJson({ number: piece.line, text: piece.text }, piece.lines, draft);
  }
  if (rest !== null)
    draft.unreadable({ number: rest.line, text: '' }, 'Only the first 100,000 lines are read', {
      lines: rest.lines,
      trouble: 'tooManyLines',
    });
  if (text.includes('\uFFFD')) draft.trouble('encoding');
  if (isCutOff(text, pieces, draft)) draft.trouble('cutOff');
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
    const taken = line.text.length > maxLineLength ? 0 : takenFrom(lines, at, draft, known);
    if (taken === 0) draft.unreadable(line, ...whyUnreadable(line));
    at += Math.max(taken, 1);
  }
}

function takenFrom(
  lines: readonly InventoryLine[],
  at: number,
  draft: MachineDraft,
  known: KnownLines | null,
): number {
  const text = lines[at]?.text ?? '';
  const before = known?.get(text);
  if (before !== undefined && !changesLineAbove(lines[at + 1]?.text)) {
    draft.understood(before.format);
    draft.addPackage(before.found);
    return 1;
  }
  const { packages } = draft;
  const plain = isRpmColumns(text) && !changesLineAbove(lines[at + 1]?.text);
  for (const read of plain ? rpmReaders : readers) {
    const taken = read(lines, at, draft);
    if (taken === 0) continue;
    const added = draft.packages === packages + 1 ? draft.lastPackage : null;
    if (added !== null && packageReaders.has(read)) known?.keep(text, added);
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

/** Tools end what they print with a line break. Where the last line has none and cannot be read, its end may be missing. */
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
    draft.unreadable(line, 'This is not valid JSON', { lines, trouble: 'incompleteJson' });
    return;
  }
  const known =
    (isObject(document) && readSbom(document, line, lines, draft)) ||
    readWindowsDocument(document, line, lines, draft);
  if (!known)
    draft.unreadable(
      line,
      'This JSON is neither CycloneDX, SPDX 2.3, Get-HotFix, Get-ComputerInfo nor winget export',
      { lines },
    );
}
