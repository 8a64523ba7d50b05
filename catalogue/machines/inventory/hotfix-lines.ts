/**
 * Reads installed Windows updates: `Get-HotFix` as table or list, `wmic qfe` as table, list or csv, and plain lists of KB
 * numbers.
 */
import type { InventoryFormat } from '../machine.ts';
import { isCommandLine } from './command-lines.ts';
import type { InventoryLine } from './inventory-pieces.ts';
import type { LineReader } from './line-reader.ts';

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
