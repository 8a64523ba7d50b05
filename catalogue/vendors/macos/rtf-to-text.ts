/** Converts rich text to plain text: paragraphs and characters without fonts and colours. */

import { removeSpareSpace } from '../../schemas/html-to-text.ts';

/** Groups without text for readers, beside those that begin with `\*`. */
const ignoredGroups = new Set([
  'fonttbl',
  'colortbl',
  'stylesheet',
  'info',
  'pict',
  'header',
  'footer',
]);
/** Text of control words. */
const characters: Readonly<Record<string, string>> = {
  par: '\n',
  line: '\n',
  sect: '\n',
  page: '\n',
  row: '\n',
  tab: ' ',
  cell: ' ',
  emdash: '—',
  endash: '–',
  bullet: '•',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
};

/** A word with its number, a character by its code, an escaped character, a brace, a line end, or text. */
const token =
  /\\([a-zA-Z]+)(-?\d+)? ?|\\'([\da-fA-F]{2})|\\([^a-zA-Z])|([{}])|[\r\n]+|([^\\{}\r\n]+)/g;
const windows1252 = new TextDecoder('windows-1252');

/** Reads any input: a closing brace without an opening one is ignored. */
export function rtfToText(rtf: string): string {
  const reader = new RtfReader();
  for (const [, word, number, code, escaped, brace, plain] of rtf.matchAll(token)) {
    if (brace === '{') reader.openGroup();
    else if (brace === '}') reader.closeGroup();
    else if (word !== undefined) reader.readWord(word, number);
    else if (code !== undefined) reader.add(decodeWindows1252(code));
    else if (escaped === '*') reader.hideGroup();
    else if (escaped !== undefined) reader.add(decodeEscape(escaped));
    else for (const character of plain ?? '') reader.add(character);
  }
  return removeSpareSpace(reader.text);
}

/** The text so far and the open groups. */
class RtfReader {
  text = '';
  readonly #groups: { hidden: boolean; substitutes: number }[] = [];
  #group = { hidden: false, substitutes: 1 };
  /** Number of substitutes still to skip, which readers without Unicode show instead of the previous character. */
  #substitutes = 0;

  openGroup(): void {
    this.#groups.push({ ...this.#group });
  }

  closeGroup(): void {
    this.#group = this.#groups.pop() ?? this.#group;
  }

  hideGroup(): void {
    this.#group.hidden = true;
  }

  add(character: string): void {
    if (this.#substitutes > 0) this.#substitutes -= 1;
    else if (!this.#group.hidden) this.text += character;
  }

  readWord(word: string, number: string | undefined): void {
    if (ignoredGroups.has(word)) this.hideGroup();
    else if (word === 'uc') this.#group.substitutes = Number(number ?? 1);
    else if (word === 'u' && number !== undefined) {
      this.add(String.fromCharCode((Number(number) + 65_536) % 65_536));
      this.#substitutes = this.#group.substitutes;
    } else if (Object.hasOwn(characters, word)) this.add(characters[word] ?? '');
  }
}

/** @param code two hexadecimal digits */
function decodeWindows1252(code: string): string {
  return windows1252.decode(Uint8Array.of(Number.parseInt(code, 16)));
}

function decodeEscape(escaped: string): string {
  if (/[\r\n]/.test(escaped)) return '\n';
  return escaped === '~' ? ' ' : escaped;
}
