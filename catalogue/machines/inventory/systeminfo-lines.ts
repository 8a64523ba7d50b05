/** `systeminfo` in any language: known by the structure of its lines and by values, never by a label. */
import { isCommandLine } from './command-lines.ts';
import type { InventoryLine } from './inventory-pieces.ts';
import type { LineReader } from './line-reader.ts';
import type { MachineDraft } from './machine-draft.ts';

/** `OS Version:   10.0.17763 N/A Build 17763`: the only value that states a build twice. */
const versionValue = /^(\d{1,2}\.\d\.(\d{4,5}))\s.{0,80}\s(\d{4,5})$/;
/** Host name, product. */
const linesBeforeVersion = 2;

/** A label and a value; the colon of some languages is a wide one. */
function labelled(text: string): { readonly value: string } | null {
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
  const product = labelled(lines[version - 1]?.text ?? '')?.value ?? '';
  readHead(lines[version] as InventoryLine, product, draft);
  const unread = lines.slice(at, end).filter((line) => !readValue(line, draft)).length;
  countHotfixes(lines.slice(at, end), draft);
  draft.understood('systeminfo', end - at - unread);
  return end - at;
};

/** Where the block begins at `at`: the line of the version is this one or one of the next two. */
function versionLineAfter(lines: readonly InventoryLine[], at: number): number | null {
  for (let index = at; index <= at + linesBeforeVersion; index += 1) {
    const value = labelled(lines[index]?.text ?? '')?.value;
    if (value === undefined) return null;
    const [, , build, again] = versionValue.exec(value) ?? [];
    if (build !== undefined && build === again) return index;
  }
  return null;
}

function belongs(line: InventoryLine | undefined): boolean {
  if (line === undefined || isCommandLine(line.text)) return false;
  return isContinuation(line.text) || labelled(line.text) !== null;
}

function readHead(line: InventoryLine, product: string, draft: MachineDraft): void {
  const [, build = ''] = versionValue.exec(labelled(line.text)?.value ?? '') ?? [];
  if (!draft.setFact('build', build)) {
    draft.unreadable(
      line,
      `The text already names build ${draft.fact('build')}; check one machine at a time`,
      { lines: 0, trouble: 'severalMachines' },
    );
    return;
  }
  draft.setFact('platform', 'windows');
  if (isProduct(product)) draft.setFact('distribution', plainProduct(product));
}

/** The name of the machine stands there where the line of the product was left out; it has no spaces. */
const isProduct = (value: string) => /\s/.test(value) && /Windows|Hyper-V Server/.test(value);

/** With plain spaces: French Windows 7 prints a no-break space, which in another code page is a letter. */
const plainProduct = (product: string) =>
  product.replace(/(Windows)[^ -~]/, '$1 ').replace(/\s+/g, ' ');

const listEntry = /^\s+\[\d{1,4}\]\s?[:：]\s*(.*)$/;

/** Compares the count that stands above the list of hotfixes, in any language, with the entries of the list. */
function countHotfixes(lines: readonly InventoryLine[], draft: MachineDraft): void {
  const first = lines.findIndex(({ text }) => /^KB\d/i.test(listEntry.exec(text)?.[1] ?? ''));
  if (first === -1) {
    draft.addUnlistedKbs(announcedWithoutList(lines));
    return;
  }
  const head = lines
    .slice(0, Math.max(first, 0))
    .findLastIndex(({ text }) => !listEntry.test(text));
  const announced = /\d{1,5}/.exec(labelled(lines[head]?.text ?? '')?.value ?? '')?.[0];
  if (announced === undefined) return;
  const rest = lines.slice(head + 1);
  const end = rest.findIndex(({ text }) => !listEntry.test(text));
  const listed = (end === -1 ? rest : rest.slice(0, end)).filter(
    ({ text }) => !isPartOfKb(listEntry.exec(text)?.[1] ?? ''),
  );
  draft.addUnlistedKbs(Number(announced) - listed.length);
}

/** `48 Hotfix(s) Installed.` with no entry below it: lists of processors and network cards are never without. */
function announcedWithoutList(lines: readonly InventoryLine[]): number {
  const counts = lines
    .filter((_, index) => !listEntry.test(lines[index + 1]?.text ?? ''))
    .map(({ text }) => /^(\d{1,5}) \S.*\.$/.exec(labelled(text)?.value ?? '')?.[1]);
  return Math.max(0, ...counts.map((count) => Number(count ?? 0)));
}

/** Numbers of updates have six or seven digits. */
const isPartOfKb = (word: string) => /^K(?:B\d{0,5})?$/i.test(word);

/** A hotfix in the list, or the type of the system, which Windows prints in English everywhere. False for a part of a hotfix. */
function readValue(line: InventoryLine, draft: MachineDraft): boolean {
  const { text } = line;
  const entry = listEntry.exec(text)?.[1] ?? '';
  if (isPartOfKb(entry)) {
    draft.unreadable(line, 'The number of this hotfix is incomplete', { trouble: 'cutOff' });
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
