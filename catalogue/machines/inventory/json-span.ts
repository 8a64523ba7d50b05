/** Finds the end of a JSON document that stands between other lines, without parsing it. */

const maxDepth = 64;

/** The number of characters that may still be scanned, so that a text full of opening braces costs only a few passes. */
export interface ScanBudget {
  left: number;
}

/**
 * Returns the index behind the document that begins at `from`; null if none exists, or when its end is missing or nested too
 * deeply.
 */
export function jsonEnd(text: string, from: number, budget: ScanBudget): number | null {
  if (!beginsDocument(text, from, budget)) return null;
  let depth = 0;
  let inString = false;
  for (let at = from; at < text.length; at += 1) {
    budget.left -= 1;
    if (budget.left < 0) return null;
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === backslash) at += 1;
      else if (code === quote) inString = false;
    } else if (code === quote) inString = true;
    else if (code === openBrace || code === openBracket) {
      depth += 1;
      if (depth > maxDepth) return null;
    } else if (code === closeBrace || code === closeBracket) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return null;
}

const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

/** Matches `{"`, `{}`, `[{` and `[]` with white space between, but not the `[01]: KB4100347` of systeminfo. */
function beginsDocument(text: string, from: number, budget: ScanBudget): boolean {
  const opening = text[from];
  if (opening !== '{' && opening !== '[') return false;
  let at = from + 1;
  while (' \t\r\n'.includes(text[at] ?? 'x')) {
    at += 1;
    budget.left -= 1;
    if (budget.left < 0) return false;
  }
  return (opening === '{' ? '"}' : '{]').includes(text[at] ?? 'x');
}
