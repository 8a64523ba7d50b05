/** Installed packages as `apt list --installed` prints them. */
import { isDebArchitecture } from './architectures.ts';
import { debPackage } from './dpkg-lines.ts';
import type { LineReader } from './line-reader.ts';

const row =
  /^([a-z0-9][a-z0-9+.-]{1,200})\/(\S{1,300}) (\S{1,200}) (\S{1,20})(?: {1,2}\[(.{1,300})\])?$/;

/**
 * The suite `now` says that a package is installed; the words in brackets are of the shell's language. A line without it is of
 * `apt list --upgradable`, where the brackets end with the installed version.
 */
export const readAptList: LineReader = (lines, at, draft) => {
  const line = lines[at];
  const text = line?.text ?? '';
  if (line === undefined) return 0;
  if (
    /^(?:WARNING: apt does not have|N: .{1,200}[^\w-]-a\b)/.test(text) ||
    isHeading(text, lines[at + 1]?.text)
  ) {
    draft.understood('apt list');
    return 1;
  }
  const [, name, suites, version, architecture, state] = row.exec(text) ?? [];
  if (name === undefined || suites === undefined || version === undefined) return 0;
  if (architecture === undefined || !isDebArchitecture(architecture)) return 0;
  const installed = suites.split(',').includes('now') ? version : /: (\S+)$/.exec(state ?? '')?.[1];
  draft.understood('apt list');
  if (installed === undefined) return 1;
  const found = debPackage(name, installed, architecture, null, true);
  if (leftConfiguration.test(state ?? '')) draft.addRemoved(found);
  else draft.addPackage(found);
  return 1;
};

/** Only the word for configuration stands in the brackets of a removed package in every language: [residual-config], [Konfiguration-verbleibend]. */
const leftConfiguration =
  /[ck]onfig|cấu.hình|конфиг|настро|налашт|yapılandır|ayar|seadist|beállít|ρυθμίσ|διαμόρφ|asetu|設定|配置|組態|설정/iu;

/** `Listing... Done`, `En train de lister... Fait`: in a language of its own, above the first row. */
const isHeading = (text: string, next: string | undefined) =>
  text.startsWith('Listing') ||
  (/^\p{L}[^/]{1,60}(?:\.\.\.|…)(?: ?\S+)?$/u.test(text) && next !== undefined && row.test(next));
