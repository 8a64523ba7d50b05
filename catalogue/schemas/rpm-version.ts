/** RPM package versions in rpm's order: https://rpm-software-management.github.io/rpm/man/rpm-version.7 */

export interface RpmVersion {
  /** Digits; null when it is not written, which rpm counts as 0. */
  readonly epoch: string | null;
  readonly version: string;
  /** Empty when it is not written; it sorts before every release except those that begin with a tilde. */
  readonly release: string;
}

/** Parses `1:2.0-3.el8`; epoch and release are optional, and `(none)` is a missing epoch. */
export function parseRpmVersion(written: string): RpmVersion {
  const text = written.trim();
  const prefix = text.includes(':') ? /^(?:(\d+)|\(none\))?:/.exec(text) : null;
  const rest = text.slice(prefix?.[0].length ?? 0);
  const dash = rest.lastIndexOf('-');
  return {
    epoch: prefix?.[1] ?? null,
    version: dash === -1 ? rest : rest.slice(0, dash),
    release: dash === -1 ? '' : rest.slice(dash + 1),
  };
}

/** Returns a negative number when `a` is older, 0 when rpm considers both equal (however written), a positive number when `a` is newer. */
export function compareRpmVersions(a: string, b: string): number {
  const [left, right] = [parseRpmVersion(a), parseRpmVersion(b)];
  return compareSegments(left.epoch ?? '0', right.epoch ?? '0') || compareWithoutEpoch(left, right);
}

/** Compares versions of vendors whose records never state an epoch. */
export function compareRpmVersionsWithoutEpoch(a: string, b: string): number {
  return compareWithoutEpoch(parseRpmVersion(a), parseRpmVersion(b));
}

function compareWithoutEpoch(a: RpmVersion, b: RpmVersion): number {
  return compareSegments(a.version, b.version) || compareSegments(a.release, b.release);
}

/**
 * Implements rpm's `rpmvercmp`: alternating segments of digits and letters; other characters only separate them. At each position a
 * tilde sorts before the end, then a caret, letters, digits.
 */
function compareSegments(a: string, b: string): number {
  let [i, j] = [0, 0];
  for (;;) {
    i = skipSeparators(a, i);
    j = skipSeparators(b, j);
    const [kind, otherKind] = [getKind(a, i), getKind(b, j)];
    if (kind !== otherKind) return kind - otherKind;
    if (kind === Kind.end) return 0;
    if (kind === Kind.tilde || kind === Kind.caret) {
      i += 1;
      j += 1;
      continue;
    }
    const [end, otherEnd] = [findSegmentEnd(a, i, kind), findSegmentEnd(b, j, kind)];
    if (kind === Kind.digits) {
      i = skipZeros(a, i, end);
      j = skipZeros(b, j, otherEnd);
      if (end - i !== otherEnd - j) return end - i - (otherEnd - j);
    }
    const order = compareText(a.slice(i, end), b.slice(j, otherEnd));
    if (order !== 0) return order;
    i = end;
    j = otherEnd;
  }
}

/** Kinds of characters in sort order. */
const Kind = { tilde: 0, end: 1, caret: 2, letters: 3, digits: 4, separator: 5 } as const;
type Kind = (typeof Kind)[keyof typeof Kind];

function getKind(text: string, at: number): Kind {
  if (at >= text.length) return Kind.end;
  const code = text.charCodeAt(at);
  if (code >= 0x30 && code <= 0x39) return Kind.digits;
  if ((code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a)) return Kind.letters;
  if (code === 0x7e) return Kind.tilde;
  return code === 0x5e ? Kind.caret : Kind.separator;
}

function skipSeparators(text: string, from: number): number {
  let at = from;
  while (getKind(text, at) === Kind.separator) at += 1;
  return at;
}

function findSegmentEnd(text: string, from: number, kind: Kind): number {
  let end = from;
  while (getKind(text, end) === kind) end += 1;
  return end;
}

/** Skips leading zeros, so that numbers of any length are ordered by length first. */
function skipZeros(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && text.charCodeAt(at) === 0x30) at += 1;
  return at;
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
