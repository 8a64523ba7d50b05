/** Where the records and values of texts of lines lie: stanzas of fields (also YAML), blocks that are indented but for their first line, plain lines. */
import type { Span, TextOutline, ValueSpan } from './outline-spans.ts';

export function stanzasOutline(text: string): TextOutline {
  const records = spansOf(text, /((?:[^\n]+(?:\n(?!\n)|$))+)/g);
  const values = [...text.matchAll(/^(\s*(?:- )?)([A-Za-z][\w-]*):[ \t]+(\S.*)$/gm)].map(
    ({ 0: line, 2: name = '', 3: value = '', index }): ValueSpan => ({
      name,
      start: index + line.length - value.length,
      end: index + line.length,
    }),
  );
  return {
    groups: [{ records, separator: '\n\n', room: roomOf(records), name: 'stanza', depth: 0 }],
    values,
  };
}

export function blocksOutline(text: string): TextOutline {
  const records = spansOf(text, /(?:^|\n)(\S[^\n]*(?:\n[ \t]+[^\n]*)*)/g);
  return {
    groups: [{ records, separator: '\n', room: roomOf(records), name: 'block', depth: 0 }],
    values: wordsIn(text),
  };
}

export function linesOutline(text: string): TextOutline {
  const records = spansOf(text, /(?:^|\n)([^\n]+)/g);
  return {
    groups: [{ records, separator: '\n', room: roomOf(records), name: 'line', depth: 0 }],
    values: wordsIn(text),
  };
}

/** The first group of each match, without what is blank at its end. */
function spansOf(text: string, pattern: RegExp): Span[] {
  return [...text.matchAll(pattern)].map(({ 0: whole, 1: record = '', index }) => {
    const start = index + whole.length - record.length;
    return { start, end: start + record.trimEnd().length };
  });
}

function roomOf(records: readonly Span[]): Span {
  return { start: records[0]?.start ?? 0, end: records.at(-1)?.end ?? 0 };
}

/** CVE-2031-20001 and CVE-2031-7 are alike, 2031 and lanternd are not. */
function shapeOf(word: string): string {
  return word.replaceAll(/\d+/g, '9').replaceAll(/[a-z]+/gi, 'a');
}

function wordsIn(text: string): ValueSpan[] {
  return [...text.matchAll(/[^\s,()[\]{}]+/g)].map(({ 0: word, index }) => ({
    name: shapeOf(word),
    start: index,
    end: index + word.length,
  }));
}
