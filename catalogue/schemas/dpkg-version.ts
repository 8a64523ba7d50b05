/** Debian package versions in dpkg's order: https://www.debian.org/doc/debian-policy/ch-controlfields.html#version */

/** Returns a negative number when `a` is older, 0 when both are equal (however written), a positive number when `a` is newer. */
export function compareDpkgVersions(a: string, b: string): number {
  const [left, right] = [parseDpkgVersion(a), parseDpkgVersion(b)];
  return (
    compareText(left.epoch, right.epoch) ||
    compareText(left.upstream, right.upstream) ||
    compareText(left.revision, right.revision)
  );
}

export interface DpkgVersion {
  /** Digits; 0 when it is not written. */
  readonly epoch: string;
  readonly upstream: string;
  /** Empty when it is not written, which is the same as 0. */
  readonly revision: string;
}

export function parseDpkgVersion(version: string): DpkgVersion {
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

/** Compares alternating runs of non-digits and digits. */
function compareText(a: string, b: string): number {
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    while ((i < a.length && !isDigit(a, i)) || (j < b.length && !isDigit(b, j))) {
      const difference = getOrder(a, i) - getOrder(b, j);
      if (difference !== 0) return difference;
      i += 1;
      j += 1;
    }
    const [first, second] = [readDigits(a, i), readDigits(b, j)];
    i += first.length;
    j += second.length;
    const [left, right] = [first.replace(/^0+/, ''), second.replace(/^0+/, '')];
    if (left !== right) return left.length - right.length || (left < right ? -1 : 1);
  }
  return 0;
}

/** Ranks a character: a tilde before the end, the end (or a digit) before letters, letters before all others. */
function getOrder(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (Number.isNaN(code) || isDigit(text, at)) return 0;
  if (code === 0x7e) return -1;
  return (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a) ? code : code + 0x10000;
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0x30 && code <= 0x39;
}

function readDigits(text: string, at: number): string {
  let end = at;
  while (end < text.length && isDigit(text, end)) end += 1;
  return text.slice(at, end);
}
