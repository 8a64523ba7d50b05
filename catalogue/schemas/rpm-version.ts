/** Versions of RPM packages, in rpm's order: https://rpm-software-management.github.io/rpm/man/rpm-version.7 */

/** Epoch, version and release of a package. */
export interface RpmVersion {
  /** Digits; null when it is not written, which rpm counts as 0. */
  readonly epoch: string | null;
  readonly version: string;
  /** Empty when it is not written; it sorts before every release except one that begins with a tilde. */
  readonly release: string;
}

/** `1:2.0-3.el8`; epoch and release may be missing, and `(none)` stands for a missing epoch. */
export function rpmVersion(written: string): RpmVersion {
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

/** Negative when `a` is older, 0 when rpm considers both equal (however written), positive when `a` is newer. */
export function compareRpmVersions(a: string, b: string): number {
  const [one, other] = [rpmVersion(a), rpmVersion(b)];
  return compareSegments(one.epoch ?? '0', other.epoch ?? '0') || compareWithoutEpoch(one, other);
}

/** For vendors whose records never state an epoch. */
export function compareRpmVersionsWithoutEpoch(a: string, b: string): number {
  return compareWithoutEpoch(rpmVersion(a), rpmVersion(b));
}

function compareWithoutEpoch(a: RpmVersion, b: RpmVersion): number {
  return compareSegments(a.version, b.version) || compareSegments(a.release, b.release);
}

/**
 * rpm's `rpmvercmp`: segments of digits and of letters in turn, other characters only separate them. At each position a tilde sorts
 * before the end, then the end, a caret, letters, digits.
 */
function compareSegments(a: string, b: string): number {
  let [i, j] = [0, 0];
  for (;;) {
    i = afterSeparators(a, i);
    j = afterSeparators(b, j);
    const [kind, otherKind] = [kindAt(a, i), kindAt(b, j)];
    if (kind !== otherKind) return kind - otherKind;
    if (kind === Kind.end) return 0;
    if (kind === Kind.tilde || kind === Kind.caret) {
      i += 1;
      j += 1;
      continue;
    }
    const [end, otherEnd] = [segmentEnd(a, i, kind), segmentEnd(b, j, kind)];
    if (kind === Kind.digits) {
      i = afterZeros(a, i, end);
      j = afterZeros(b, j, otherEnd);
      if (end - i !== otherEnd - j) return end - i - (otherEnd - j);
    }
    const order = compareText(a.slice(i, end), b.slice(j, otherEnd));
    if (order !== 0) return order;
    i = end;
    j = otherEnd;
  }
}

/** In their order. */
const Kind = { tilde: 0, end: 1, caret: 2, letters: 3, digits: 4, separator: 5 } as const;
type Kind = (typeof Kind)[keyof typeof Kind];

function kindAt(text: string, at: number): Kind {
  if (at >= text.length) return Kind.end;
  const code = text.charCodeAt(at);
  if (code >= 0x30 && code <= 0x39) return Kind.digits;
  if ((code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a)) return Kind.letters;
  if (code === 0x7e) return Kind.tilde;
  return code === 0x5e ? Kind.caret : Kind.separator;
}

function afterSeparators(text: string, from: number): number {
  let at = from;
  while (kindAt(text, at) === Kind.separator) at += 1;
  return at;
}

function segmentEnd(text: string, from: number, kind: Kind): number {
  let end = from;
  while (kindAt(text, end) === kind) end += 1;
  return end;
}

/** Of a number of any length; numbers without leading zeros are ordered by their lengths first. */
function afterZeros(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && text.charCodeAt(at) === 0x30) at += 1;
  return at;
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
