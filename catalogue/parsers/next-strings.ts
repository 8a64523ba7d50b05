/** The old-style .strings of NeXT that Apple's distributions are localised with: `"SU_TITLE" = "iWork Update 5";`, one entry after the other. */

/** Comments; what else is no entry is passed over to the end of its line. */
const comment = /\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\//y;

/**
 * A value ends at its own quote and a semicolon with nothing but another entry or the line's end behind it: vendors leave quotes of
 * the same kind inside of a value as they are.
 */
const entry =
  /"?([\w.-]+)"?\s*=\s*(?:"((?:\\[\s\S]|[^\\])*?)"|'((?:\\[\s\S]|[^\\])*?)')\s*;(?=[ \t]*(?:\r|\n|$|"[\w.-]+"\s*=\s*["']|\/\/|\/\*))/y;

/** By key; the first of two entries for one key counts. */
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
    const [whole, key = '', inDouble, inSingle] = found;
    if (!strings.has(key)) strings.set(key, unescaped(inDouble ?? inSingle ?? ''));
    at += whole.length;
  }
  return strings;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

function unescaped(value: string): string {
  return value.replaceAll(
    /\\(?:[uU]([\da-fA-F]{4})|([\s\S]))/g,
    (_, code: string | undefined, character: string | undefined) =>
      code === undefined
        ? (escapes[character ?? ''] ?? character ?? '')
        : String.fromCharCode(Number.parseInt(code, 16)),
  );
}
