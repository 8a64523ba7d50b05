/**
 * Parser of the advisory lists of Debian's security tracker (data/DSA/list, data/DLA/list): plain text, one header per line, its lines
 * indented below. https://security-team.debian.org/security_tracker.html
 */
import type { UnknownWord } from '../definition/feed.ts';
import { parseMonth } from '../values/vendor-dates.ts';
import { findCveIds, findUnknownCves, toWord } from '../values/vendor-words.ts';

export const toAdvisoryList = (key: 'DSA' | 'DLA') =>
  `https://salsa.debian.org/security-tracker-team/security-tracker/raw/master/data/${key}/list`;

export interface DpkgAdvisory {
  /** DSA-5378-1; the oldest ids have no number at the end. */
  readonly id: string;
  readonly title: string | null;
  /** Midnight UTC of `written` in epoch milliseconds; null when `written` is not a date. */
  readonly day: number | null;
  readonly written: string;
  readonly cves: readonly string[];
  /** What begins like a CVE id and is none. */
  readonly unknownCves: readonly UnknownWord[];
  readonly fixes: readonly DpkgFix[];
  /** Notes of the security team. */
  readonly notes: readonly string[];
}

export interface DpkgFix {
  readonly codename: string;
  /** The source package. */
  readonly pkgName: string;
  /** Null when the list has a word instead of a version: there is nothing to install. */
  readonly version: string | null;
  /** not-affected, end-of-life, unfixed …; null when there is a version. */
  readonly unfixed: string | null;
  /** Remark in parentheses at the end of the line. */
  readonly remark: string | null;
}

/** A line that cannot be parsed: below an advisory, or instead of a header. */
export interface StrayLine {
  readonly line: number;
  readonly text: string;
  /** Id of the advisory that the line stands under, or of the header that it was meant to be. */
  readonly under: string | null;
  /** Fixes that can be read from the line or the lines below it. */
  readonly fixes: readonly Pick<DpkgFix, 'codename' | 'pkgName'>[];
  /** True when the line, or a line below it, may state a fix that is not in `fixes`, or of an unknown advisory. */
  readonly mayStateOtherFixes: boolean;
}

type Mutable<Element> = { -readonly [Key in keyof Element]: Element[Key] };

export type DpkgListElement =
  | { readonly kind: 'advisory'; readonly advisory: DpkgAdvisory }
  | { readonly kind: 'stray'; readonly stray: StrayLine };

/** Reads the advisories of a list. Lines below an invalid header belong to it and are left out with it. */
export function* readDpkgAdvisories(text: string): Generator<DpkgListElement> {
  let open: Mutable<DpkgAdvisory> | null = null;
  let stray: Mutable<StrayLine> | null = null;
  let line = 0;
  for (const raw of text.split('\n')) {
    line += 1;
    const words = raw.trim();
    if (words === '') continue;
    if (!/^\s/.test(raw)) {
      if (open !== null) yield { kind: 'advisory', advisory: open };
      if (stray !== null) yield { kind: 'stray', stray };
      open = parseHeader(words);
      stray = open === null ? createStrayHeader(line, words) : null;
    } else if (open !== null) {
      const fix = parseFix(words);
      if (fix !== null) open.fixes = [...open.fixes, fix];
      else if (/^\{|\}$/.test(words)) {
        open.cves = findCveIds([...open.cves, words]);
        open.unknownCves = [...open.unknownCves, ...findUnknownCves([words])];
      } else if (/^(NOTE|TODO):/.test(words))
        open.notes = [...open.notes, words.replace(/^\w+:\s*/, '')];
      else {
        const fixes = findFixedPackages(words);
        const mayStateOtherFixes = fixes.length === 0;
        yield {
          kind: 'stray',
          stray: { line, text: words, under: open.id, fixes, mayStateOtherFixes },
        };
      }
    } else if (stray !== null) {
      const fixes = findFixedPackages(words);
      stray.fixes = [...stray.fixes, ...fixes];
      stray.mayStateOtherFixes ||= fixes.length === 0 && !/^(\{|NOTE:|TODO:)/.test(words);
    }
  }
  if (open !== null) yield { kind: 'advisory', advisory: open };
  if (stray !== null) yield { kind: 'stray', stray };
}

function createStrayHeader(line: number, text: string): StrayLine {
  const under = findAdvisoryId(text);
  return { line, text, under, fixes: [], mayStateOtherFixes: under === null };
}

function parseHeader(words: string): DpkgAdvisory | null {
  const [, written, id, title] =
    /^\[([^\]]*)\]\s+(D[SL]A-\d+(?:-\d+)?)(?:\s+(.*))?$/.exec(words) ?? [];
  if (written === undefined || id === undefined) return null;
  return {
    id,
    title: toWord(title),
    day: parseAdvisoryDay(written),
    written,
    cves: [],
    unknownCves: [],
    fixes: [],
    notes: [],
  };
}

function parseFix(words: string): DpkgFix | null {
  const [, codename, pkgName, version, remark] =
    /^\[([^\]\s]+)\]\s+-\s+(\S+)\s+(\S+)(?:\s+\((.*)\))?$/.exec(words) ?? [];
  if (codename === undefined || pkgName === undefined || version === undefined) return null;
  // The tracker states 0 as the fixed version when no version was ever affected.
  const unfixed = version === '0' ? 'not-affected' : (/^<(.*)>$/.exec(version)?.[1] ?? null);
  return {
    codename,
    pkgName,
    version: unfixed === null ? version : null,
    unfixed,
    remark: toWord(remark),
  };
}

/** Finds the advisory's id in a header that cannot be parsed. The testing team's are DTSA. */
function findAdvisoryId(words: string): string | null {
  return /\bD(?:S|L|TS)A-\d+(?:-\d+)?/.exec(words)?.[0] ?? null;
}

/** Finds codename and package of a line whose version may be missing. */
function findFixedPackages(words: string): StrayLine['fixes'] {
  const [, codename, pkgName] = /^\[([^\]\s]+)\]\s+-\s+(\S+)/.exec(words) ?? [];
  return codename === undefined || pkgName === undefined ? [] : [{ codename, pkgName }];
}

/** 25 Mar 2023 */
export function parseAdvisoryDay(written: unknown): number | null {
  const [, day, name, year] =
    /^(\d{1,2})\s+([a-z]{3})[a-z]*\s+(\d{4})$/i.exec(toWord(written) ?? '') ?? [];
  const month = parseMonth(name);
  if (month === null) return null;
  const date = new Date(Date.UTC(Number(year), month, Number(day)));
  return date.getUTCMonth() === month ? date.getTime() : null;
}
