/**
 * Parses NeXT's old-style .strings, with which Apple's distributions are localized: `"SU_TITLE" = "iWork Update 5";`, one entry
 * after the other.
 */

/** Matches white space and comments; other text that is not an entry is skipped to the end of its line. */
const comment = /\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\//y;

/**
 * Matches an entry. A value ends at its own quote and a semicolon that only another entry or the end of the line follows, because
 * vendors do not escape quotes inside of a value.
 */
const entry =
  /"?([\w.-]+)"?\s*=\s*(?:"((?:\\[\s\S]|[^\\])*?)"|'((?:\\[\s\S]|[^\\])*?)')\s*;(?=[ \t]*(?:\r|\n|$|"[\w.-]+"\s*=\s*["']|\/\/|\/\*))/y;

/** Returns values by key; the first of two entries with one key counts. */
export function nextStrings(text: string): Map<string, string> {
  const strings = new Map<string, string>();
  let at = 0;
  while (at < text.length) {
    const passed = matchAt(comment, text, at);
    if (passed !== null) {
      at += passed[0].length;
      continue;
    }
    const found = matchAt(entry, text, at);
    if (found === null) {
      const end = text.indexOf('\n', at);
      at = end === -1 ? text.length : end + 1;
      continue;
    }
    const [match, key = '', inDouble, inSingle] = found;
    if (!strings.has(key)) strings.set(key, unescape(inDouble ?? inSingle ?? ''));
    at += match.length;
  }
  return strings;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

function unescape(value: string): string {
  return value.replaceAll(
    /\\(?:[uU]([\da-fA-F]{4})|([\s\S]))/g,
    (_, code: string | undefined, character: string | undefined) =>
      code === undefined
        ? (escapes[character ?? ''] ?? character ?? '')
        : String.fromCharCode(Number.parseInt(code, 16)),
  );
}
