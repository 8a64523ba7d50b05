/**
 * Reads `systeminfo` in any language: by the structure of its lines and by values, never by labels. Reads installed updates:
 * `Get-HotFix` as table or list, `wmic qfe` as table, list or csv, and plain lists of KB numbers.
 */

import type { InventoryFormat } from '../machine.ts';
import { isCommandLine } from './command-lines.ts';
import type { InventoryLine } from './inventory-pieces.ts';
import type { LineReader } from './line-reader.ts';
import type { MachineDraft } from './machine-draft.ts';

/** `OS Version:   10.0.17763 N/A Build 17763`: the only value that states a build twice. */
const versionValue = /^(\d{1,2}\.\d\.(\d{4,5}))\s.{0,80}\s(\d{4,5})$/;
/** The host name and the product. */
const linesBeforeVersion = 2;

/** Splits a label and a value; some languages use a wide colon. */
function splitLabel(text: string): { readonly value: string } | null {
  const [, value] = /^\S[^:：]{0,80}[:：](?:\s+(.*))?$/.exec(text) ?? [];
  if (value !== undefined) return { value: value.trim() };
  return /^\S[^:：]{0,80}[:：]$/.test(text) ? { value: '' } : null;
}

const isContinuation = (text: string) => /^\s{8}/.test(text);

export const readSysteminfo: LineReader = (lines, at, draft) => {
  const version = versionLineAfter(lines, at);
  if (version === null) return 0;
  let end = at;
  while (belongs(lines[end])) end += 1;
  const product = splitLabel(lines[version - 1]?.text ?? '')?.value ?? '';
  readHead(lines[version] as InventoryLine, product, draft);
  const unread = lines.slice(at, end).filter((line) => !readValue(line, draft)).length;
  countHotfixes(lines.slice(at, end), draft);
  draft.countUnderstood('systeminfo', end - at - unread);
  return end - at;
};

/** Returns the index of the version's line when the block begins at `at`: this line or one of the next two. */
function versionLineAfter(lines: readonly InventoryLine[], at: number): number | null {
  for (let index = at; index <= at + linesBeforeVersion; index += 1) {
    const value = splitLabel(lines[index]?.text ?? '')?.value;
    if (value === undefined) return null;
    const [, , build, again] = versionValue.exec(value) ?? [];
    if (build !== undefined && build === again) return index;
  }
  return null;
}

function belongs(line: InventoryLine | undefined): boolean {
  if (line === undefined || isCommandLine(line.text)) return false;
  return isContinuation(line.text) || splitLabel(line.text) !== null;
}

function readHead(line: InventoryLine, product: string, draft: MachineDraft): void {
  const [, build = ''] = versionValue.exec(splitLabel(line.text)?.value ?? '') ?? [];
  if (!draft.setFact('build', build)) {
    draft.addUnreadable(
      line,
      `The text already names build ${draft.getFact('build')}; check one machine at a time`,
      { lines: 0, trouble: 'severalMachines' },
    );
    return;
  }
  draft.setFact('platform', 'windows');
  if (isProduct(product)) draft.setFact('distribution', plainProduct(product));
}

/** The machine's name, which has no spaces, stands there when the product's line was left out. */
const isProduct = (value: string) => /\s/.test(value) && /Windows|Hyper-V Server/.test(value);

/** Normalizes spaces: French Windows 7 prints a no-break space, which in another code page is a letter. */
const plainProduct = (product: string) =>
  product.replace(/(Windows)[^ -~]/, '$1 ').replace(/\s+/g, ' ');

const listEntry = /^\s+\[\d{1,4}\]\s?[:：]\s*(.*)$/;

/** Compares the count above the list of hotfixes, in any language, with the entries of the list. */
function countHotfixes(lines: readonly InventoryLine[], draft: MachineDraft): void {
  const first = lines.findIndex(({ text }) => /^KB\d/i.test(listEntry.exec(text)?.[1] ?? ''));
  if (first === -1) {
    draft.addUnlistedKbs(announcedWithoutList(lines));
    return;
  }
  const head = lines
    .slice(0, Math.max(first, 0))
    .findLastIndex(({ text }) => !listEntry.test(text));
  const announced = /\d{1,5}/.exec(splitLabel(lines[head]?.text ?? '')?.value ?? '')?.[0];
  if (announced === undefined) return;
  const rest = lines.slice(head + 1);
  const end = rest.findIndex(({ text }) => !listEntry.test(text));
  const listed = (end === -1 ? rest : rest.slice(0, end)).filter(
    ({ text }) => !isPartOfKb(listEntry.exec(text)?.[1] ?? ''),
  );
  draft.addUnlistedKbs(Number(announced) - listed.length);
}

/**
 * Returns the count of `48 Hotfix(s) Installed.` without entries below it; lists of processors and network cards always have
 * entries.
 */
function announcedWithoutList(lines: readonly InventoryLine[]): number {
  const counts = lines
    .filter((_, index) => !listEntry.test(lines[index + 1]?.text ?? ''))
    .map(({ text }) => /^(\d{1,5}) \S.*\.$/.exec(splitLabel(text)?.value ?? '')?.[1]);
  return Math.max(0, ...counts.map((count) => Number(count ?? 0)));
}

/** Numbers of updates have six or seven digits. */
const isPartOfKb = (word: string) => /^K(?:B\d{0,5})?$/i.test(word);

/**
 * Reads a hotfix of the list, or the system type, which Windows prints in English everywhere. Returns false for a part of a
 * hotfix number.
 */
function readValue(line: InventoryLine, draft: MachineDraft): boolean {
  const { text } = line;
  const entry = listEntry.exec(text)?.[1] ?? '';
  if (isPartOfKb(entry)) {
    draft.addUnreadable(line, 'The number of this hotfix is incomplete', { trouble: 'cutOff' });
    return false;
  }
  const [, kb] = /^KB(\d{6,8})\b/i.exec(entry) ?? [];
  if (kb !== undefined) draft.addKb(kb);
  const [, type] = /[:：]\s+(x64|x86|arm64)-based PC$/i.exec(text) ?? [];
  const architecture = systemTypes[type?.toLowerCase() ?? ''];
  if (architecture !== undefined) draft.setFact('architecture', architecture);
  return true;
}

const systemTypes: Readonly<Record<string, string>> = {
  x64: 'x86_64',
  x86: 'i686',
  arm64: 'aarch64',
};

const kbNumber = /\bKB(\d{6,8})\b/i;
/** Update numbers have six or seven digits; a shorter one was cut. */
const partOfKb = /\bKB\d{0,5}\s*$/i;

/**
 * Reads the table below a header with the column HotFixID; column names are the same in every language. Rows follow until the
 * first line without a KB.
 */
export const readHotfixTable: LineReader = (lines, at, draft) => {
  const header = lines[at]?.text ?? '';
  if (!/(?:^|[\s,"])HotFixID(?:[\s,"]|$)/i.test(header) || kbNumber.test(header)) return 0;
  // wmic prints all properties by default, and csv begins with Node; Get-HotFix begins with Source.
  const format: InventoryFormat = /^"?Source\b/i.test(header) ? 'Get-HotFix' : 'wmic qfe';
  let [end, unread] = [at + 1, 0];
  for (; end < lines.length; end += 1) {
    const text = lines[end]?.text ?? '';
    const kb = kbNumber.exec(text)?.[1];
    if (kb === undefined && partOfKb.test(text)) {
      draft.addUnreadable(lines[end] as InventoryLine, 'The number of this hotfix is incomplete', {
        trouble: 'cutOff',
      });
      draft.addUnlistedKbs(1);
      unread += 1;
      continue;
    }
    if (isCommandLine(text) || (kb === undefined && !/^[-\s]+$/.test(text))) break;
    if (kb !== undefined) draft.addKb(kb);
  }
  draft.setFact('platform', 'windows');
  draft.countUnderstood(format, end - at - unread);
  return end - at;
};

/** Properties of Win32_QuickFixEngineering, and those that PowerShell adds. */
const properties =
  'Source|PSComputerName|Caption|CSName|Description|FixComments|HotFixID|InstallDate|InstalledBy|InstalledOn|Name|ServicePackInEffect|Status|__\\w{2,20}';
const wmicList = new RegExp(`^(?:${properties})=(.*)$`);
const hotfixList = new RegExp(`^(?:${properties}) +: ?(.*)$`);

/** `wmic qfe list full /format:list` (HotFixID=KB…) and `Get-HotFix | Format-List` (HotFixID : KB…). */
export const readHotfixList: LineReader = (lines, at, draft) => {
  const text = lines[at]?.text ?? '';
  const wmic = wmicList.test(text);
  if (!wmic && !hotfixList.test(text)) return 0;
  const kb = text.startsWith('HotFixID') ? kbNumber.exec(text)?.[1] : undefined;
  if (kb !== undefined) draft.addKb(kb);
  if (text.startsWith('HotFixID')) draft.setFact('platform', 'windows');
  draft.countUnderstood(wmic ? 'wmic qfe' : 'Get-HotFix');
  return 1;
};

/**
 * Reads a line of nothing but KB numbers, separated by commas or white space, or a row of Get-HotFix without its header. Prose
 * that mentions a KB is not read.
 */
export const readKbNumbers: LineReader = (lines, at, draft) => {
  const text = lines[at]?.text ?? '';
  const words = text.split(/[\s,;]+/).filter((word) => word !== '');
  const only = words.length > 0 && words.every((word) => /^KB\d{6,8}$/i.test(word));
  const row = /^\S+ +(?:Security )?(?:Update|Hotfix) +KB\d{6,8}\b/i.test(text);
  if (!only && !row) return 0;
  for (const word of only ? words : [kbNumber.exec(text)?.[0] ?? '']) draft.addKb(word);
  draft.countUnderstood(only ? 'KB numbers' : 'Get-HotFix');
  return 1;
};
