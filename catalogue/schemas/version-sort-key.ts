/**
 * Keys of versions whose order by bytes is the order of the versions, so that an index finds what is newer than a version. Of ASCII
 * letters only. Epochs have a key of their own: not every inventory states them.
 */
import { dpkgVersion } from './dpkg-version.ts';
import { rpmVersion } from './rpm-version.ts';

export interface VersionSortKey {
  /** A missing epoch is 0. */
  readonly epoch: string;
  readonly version: string;
}

/** Equal keys are equal versions of rpm, however they are written. */
export function rpmSortKey(written: string): VersionSortKey {
  const { epoch, version, release } = rpmVersion(written);
  return {
    epoch: numberKey(epoch ?? '0'),
    version: `${segmentsKey(version)}${end}${segmentsKey(release)}${end}`,
  };
}

/** Equal keys are equal versions of dpkg, however they are written. */
export function dpkgSortKey(written: string): VersionSortKey {
  const { epoch, upstream, revision } = dpkgVersion(written);
  return { epoch: numberKey(epoch), version: `${runsKey(upstream)}${runsKey(revision)}` };
}

/** In their order, and before all letters: a run of letters ends where a shorter one would. Lengths of numbers follow. */
const [tilde, end, caret, letters] = ['#', '$', '%', '&'];
const shortestNumber = '('.charCodeAt(0);
/** Of one step; a longer number takes several. Its letter is the last one before `A`. */
const step = '@'.charCodeAt(0) - shortestNumber;

/** Its length, then its digits without leading zeros: the longer number is the greater one. */
function numberKey(digits: string): string {
  let zeros = 0;
  while (digits.charCodeAt(zeros) === zero) zeros += 1;
  const number = digits.slice(zeros);
  const start = String.fromCharCode(shortestNumber + (number.length % step));
  return number.length < step
    ? start + number
    : `${'@'.repeat(Math.floor(number.length / step))}${start}${number}`;
}

/** rpm: segments of digits and of letters in turn, other characters only separate them. */
function segmentsKey(text: string): string {
  let key = '';
  for (let at = 0; at < text.length; ) {
    const from = at;
    while (isDigit(text.charCodeAt(at))) at += 1;
    if (at > from) {
      key += numberKey(text.slice(from, at));
      continue;
    }
    while (isLetter(text.charCodeAt(at))) at += 1;
    if (at > from) {
      key += letters + text.slice(from, at);
      continue;
    }
    if (text[at] === '~') key += tilde;
    else if (text[at] === '^') key += caret;
    at += 1;
  }
  return key;
}

const zero = '0'.charCodeAt(0);
const isDigit = (code: number) => code >= zero && code <= 0x39;
const isLetter = (code: number) => (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);

/** dpkg: runs that are no digits and numbers in turn. A missing number is 0, so that each run ends with one. */
function runsKey(text: string): string {
  let key = '';
  for (const [, run = '', digits = ''] of text.matchAll(/([^0-9]*)([0-9]*)/g)) {
    if (key !== '' && run === '' && digits === '') break;
    for (let at = 0; at < run.length; at += 1) key += letterKey(run, at);
    key += `${end}${numberKey(digits)}`;
  }
  return `${key}${end}`;
}

const dot = '.'.charCodeAt(0);
const lastShort = 0x7e;

/** A tilde sorts before the end of a run, which sorts before letters, and these before all other characters. */
function letterKey(run: string, at: number): string {
  const [letter, code] = [run.charAt(at), run.charCodeAt(at)];
  if (letter === '~') return tilde ?? '';
  if (/[A-Za-z]/.test(letter)) return letter;
  if (code === dot) return '|';
  if (code < dot) return `{${letter}`;
  return code < lastShort ? `}${letter}` : `}~${code.toString(16).padStart(4, '0')}`;
}
