/** Finds `'name' in value`: unions have a tag, and unknown data is read by a helper (decision 033). */

const branch = /(?:^|[\s(!&|?:{[])'[\w-]+' in (?:\(|[\w.]+(?:[\s);:,?]|$))/;
const quotedText = /`[^`]*`|"[^"]*"/g;

/** The numbers of the lines that choose by the `in` operator, from 1. Comments do not count. */
export function inOperatorBranches(text: string): readonly number[] {
  return text.split('\n').flatMap((line, index) => {
    const code = line
      .replace(/^\s*(\/\*|\*|\/\/).*$/, '')
      .replace(/\s\/\/.*$/, '')
      .replaceAll(quotedText, "''");
    return branch.test(code) ? [index + 1] : [];
  });
}
