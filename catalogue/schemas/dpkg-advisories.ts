/**
 * The advisory lists of Debian's security tracker (data/DSA/list, data/DLA/list): plain text, one header a line, what belongs to it
 * indented below. https://security-team.debian.org/security_tracker.html
 */
import { cveIdOf, distinctWords, wordOf } from '../values/vendor-words.ts';

export interface DpkgAdvisory {
  /** DSA-5378-1; the oldest have no number behind. */
  readonly id: string;
  readonly title: string | null;
  /** The day, at midnight UTC; null when `written` is no date. */
  readonly day: number | null;
  readonly written: string;
  readonly cves: readonly string[];
  readonly fixes: readonly DpkgFix[];
  /** What the security team noted to it. */
  readonly notes: readonly string[];
}

export interface DpkgFix {
  readonly codename: string;
  /** The source package. */
  readonly pkgName: string;
  /** Null when the list has a word in place of a version: there is nothing to install. */
  readonly version: string | null;
  /** not-affected, end-of-life, unfixed …; null when there is a version. */
  readonly unfixed: string | null;
  /** What stands in brackets behind it. */
  readonly remark: string | null;
}

/** A line that cannot be understood: of an advisory, or where a header should be. */
export interface StrayLine {
  readonly line: number;
  readonly text: string;
  /** The advisory it stands under, or whose header it was meant to be. */
  readonly under: string | null;
  /** What is listed in it or below it, as far as that can be told. */
  readonly fixes: readonly Pick<DpkgFix, 'codename' | 'pkgName'>[];
}

type Open<Element> = { -readonly [Key in keyof Element]: Element[Key] };

export type DpkgListElement =
  | { readonly kind: 'advisory'; readonly advisory: DpkgAdvisory }
  | { readonly kind: 'stray'; readonly stray: StrayLine };

/** What stands below a line that is no header belongs to that line, and is left out with it. */
export function* dpkgAdvisories(text: string): Generator<DpkgListElement> {
  let open: Open<DpkgAdvisory> | null = null;
  let lost: Open<StrayLine> | null = null;
  let line = 0;
  for (const raw of text.split('\n')) {
    line += 1;
    const words = raw.trim();
    if (words === '') continue;
    if (!/^\s/.test(raw)) {
      if (open !== null) yield { kind: 'advisory', advisory: open };
      if (lost !== null) yield { kind: 'stray', stray: lost };
      open = header(words);
      lost = open === null ? { line, text: words, under: idIn(words), fixes: [] } : null;
    } else if (open !== null) {
      const fix = fixOf(words);
      const cves = /^\{([^}]*)\}$/.exec(words)?.[1];
      if (fix !== null) open.fixes = [...open.fixes, fix];
      else if (cves !== undefined)
        open.cves = distinctWords([...open.cves, ...cves.split(/\s+/).map(cveIdOf)]);
      else if (/^(NOTE|TODO):/.test(words))
        open.notes = [...open.notes, words.replace(/^\w+:\s*/, '')];
      else
        yield {
          kind: 'stray',
          stray: { line, text: words, under: open.id, fixes: fixedIn(words) },
        };
    } else if (lost !== null) lost.fixes = [...lost.fixes, ...fixedIn(words)];
  }
  if (open !== null) yield { kind: 'advisory', advisory: open };
  if (lost !== null) yield { kind: 'stray', stray: lost };
}

function header(words: string): DpkgAdvisory | null {
  const [, written, id, title] =
    /^\[([^\]]*)\]\s+(D[SL]A-\d+(?:-\d+)?)(?:\s+(.*))?$/.exec(words) ?? [];
  if (written === undefined || id === undefined) return null;
  return { id, title: wordOf(title), day: dayOf(written), written, cves: [], fixes: [], notes: [] };
}

function fixOf(words: string): DpkgFix | null {
  const [, codename, pkgName, version, remark] =
    /^\[([^\]\s]+)\]\s+-\s+(\S+)\s+(\S+)(?:\s+\((.*)\))?$/.exec(words) ?? [];
  if (codename === undefined || pkgName === undefined || version === undefined) return null;
  // A fixed version of 0 is the tracker's own way to say that no version was ever affected.
  const unfixed = version === '0' ? 'not-affected' : (/^<(.*)>$/.exec(version)?.[1] ?? null);
  return {
    codename,
    pkgName,
    version: unfixed === null ? version : null,
    unfixed,
    remark: wordOf(remark),
  };
}

/** Of a header that cannot be understood. */
function idIn(words: string): string | null {
  return /\bD[SL]A-\d+(?:-\d+)?/.exec(words)?.[0] ?? null;
}

/** Of a line whose version need not be one. */
function fixedIn(words: string): StrayLine['fixes'] {
  const [, codename, pkgName] = /^\[([^\]\s]+)\]\s+-\s+(\S+)/.exec(words) ?? [];
  return codename === undefined || pkgName === undefined ? [] : [{ codename, pkgName }];
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** 25 Mar 2023 */
function dayOf(written: string): number | null {
  const [, day, name, year] =
    /^(\d{1,2})\s+([a-z]{3})[a-z]*\s+(\d{4})$/i.exec(written.trim()) ?? [];
  const month = months.indexOf(name?.toLowerCase() ?? '');
  if (month === -1) return null;
  const date = new Date(Date.UTC(Number(year), month, Number(day)));
  return date.getUTCMonth() === month ? date.getTime() : null;
}
