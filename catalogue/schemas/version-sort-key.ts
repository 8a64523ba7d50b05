/**
 * Sort keys of versions: comparing keys by bytes gives the order of the versions, so that an index finds newer ones. Epochs have their
 * own key, because not every inventory states them.
 */
import { parseDpkgVersion } from './dpkg-version.ts';
import { parseRpmVersion } from './rpm-version.ts';

export interface VersionSortKey {
  /** A missing epoch is 0. */
  readonly epoch: string;
  readonly version: string;
}

/** Equal keys mean equal rpm versions, however they are written. */
export function toRpmSortKey(written: string): VersionSortKey {
  const { epoch, version, release } = parseRpmVersion(written);
  return {
    epoch: encodeNumber(epoch ?? '0'),
    version: `${encodeSegments(version)}${end}${encodeSegments(release)}${end}`,
  };
}

/** Equal keys mean equal dpkg versions, however they are written. */
export function toDpkgSortKey(written: string): VersionSortKey {
  const { epoch, upstream, revision } = parseDpkgVersion(written);
  return { epoch: encodeNumber(epoch), version: `${encodeRuns(upstream)}${encodeRuns(revision)}` };
}

/** Marks in sort order, all below letters: a run of letters ends where a shorter one would. Number lengths follow. */
const [tilde, end, caret, letters] = ['#', '$', '%', '&'];
const shortestNumber = '('.charCodeAt(0);
/** Number length of one step; longer numbers take several. The step's letter is the last one before `A`. */
const step = '@'.charCodeAt(0) - shortestNumber;

/** Encodes the length, then the digits without leading zeros: the longer number is greater. */
function encodeNumber(digits: string): string {
  let zeros = 0;
  while (digits.charCodeAt(zeros) === zero) zeros += 1;
  const number = digits.slice(zeros);
  const start = String.fromCharCode(shortestNumber + (number.length % step));
  return number.length < step
    ? start + number
    : `${'@'.repeat(Math.floor(number.length / step))}${start}${number}`;
}

/** Encodes rpm's alternating segments of digits and letters; other characters only separate them. */
function encodeSegments(text: string): string {
  let key = '';
  for (let at = 0; at < text.length; ) {
    const from = at;
    while (isDigit(text.charCodeAt(at))) at += 1;
    if (at > from) {
      key += encodeNumber(text.slice(from, at));
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

/** Encodes dpkg's alternating runs of non-digits and numbers. A missing number is 0, so each run ends with one. */
function encodeRuns(text: string): string {
  let key = '';
  for (const [, run = '', digits = ''] of text.matchAll(/([^0-9]*)([0-9]*)/g)) {
    if (key !== '' && run === '' && digits === '') break;
    for (let at = 0; at < run.length; at += 1) key += encodeLetter(run, at);
    key += `${end}${encodeNumber(digits)}`;
  }
  return `${key}${end}`;
}

const dot = '.'.charCodeAt(0);
const lastShort = 0x7e;

/** A tilde sorts before the end of a run, which sorts before letters, and these before all other characters. */
function encodeLetter(run: string, at: number): string {
  const [letter, code] = [run.charAt(at), run.charCodeAt(at)];
  if (letter === '~') return tilde ?? '';
  if (/[A-Za-z]/.test(letter)) return letter;
  if (code === dot) return '|';
  if (code < dot) return `{${letter}`;
  return code < lastShort ? `}${letter}` : `}~${code.toString(16).padStart(4, '0')}`;
}
