/** Installed packages as `apt list --installed` prints them. */
import { isDebArchitecture } from './architectures.ts';
import { debPackage } from './dpkg-lines.ts';
import type { LineReader } from './line-reader.ts';

const row =
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
    isHeading(text, lines[at + 1]?.text)
  ) {
    draft.countUnderstood('apt list');
    return 1;
  }
  const [, name, suites, version, architecture, state] = row.exec(text) ?? [];
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
const isHeading = (text: string, next: string | undefined) =>
  text.startsWith('Listing') ||
  (/^\p{L}[^/]{1,60}(?:\.\.\.|…)(?: ?\S+)?$/u.test(text) && next !== undefined && row.test(next));
