/** Versions of Debian packages, in dpkg's order: https://www.debian.org/doc/debian-policy/ch-controlfields.html#version */

/** Negative when `one` is the older, 0 when they are the same version (however written), positive when it is the newer. */
export function compareDpkgVersions(one: string, other: string): number {
  const [a, b] = [dpkgVersion(one), dpkgVersion(other)];
  return (
    compareText(a.epoch, b.epoch) ||
    compareText(a.upstream, b.upstream) ||
    compareText(a.revision, b.revision)
  );
}

export interface DpkgVersion {
  /** Digits; 0 where it is not written. */
  readonly epoch: string;
  readonly upstream: string;
  /** Empty where it is not written, which is the same as 0. */
  readonly revision: string;
}

export function dpkgVersion(version: string): DpkgVersion {
  const text = version.trim();
  const [, epoch] = /^(\d+):/.exec(text) ?? [];
  const rest = epoch === undefined ? text : text.slice(epoch.length + 1);
  const dash = rest.lastIndexOf('-');
  return {
    epoch: epoch ?? '0',
    upstream: dash === -1 ? rest : rest.slice(0, dash),
    revision: dash === -1 ? '' : rest.slice(dash + 1),
  };
}

/** Runs that are no digits and runs of digits in turn. */
function compareText(one: string, other: string): number {
  let [i, j] = [0, 0];
  while (i < one.length || j < other.length) {
    while ((i < one.length && !isDigit(one, i)) || (j < other.length && !isDigit(other, j))) {
      const difference = order(one, i) - order(other, j);
      if (difference !== 0) return difference;
      i += 1;
      j += 1;
    }
    const [first, second] = [digitsAt(one, i), digitsAt(other, j)];
    i += first.length;
    j += second.length;
    const [big, bigger] = [first.replace(/^0+/, ''), second.replace(/^0+/, '')];
    if (big !== bigger) return big.length - bigger.length || (big < bigger ? -1 : 1);
  }
  return 0;
}

/** A tilde before the end, the end (and a digit) before letters, letters before all else. */
function order(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (Number.isNaN(code) || isDigit(text, at)) return 0;
  if (code === 0x7e) return -1;
  return (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a) ? code : code + 0x10000;
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0x30 && code <= 0x39;
}

function digitsAt(text: string, at: number): string {
  let end = at;
  while (end < text.length && isDigit(text, end)) end += 1;
  return text.slice(at, end);
}
