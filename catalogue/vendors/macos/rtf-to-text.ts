/** Rich text as plain text: its paragraphs and characters, nothing of its fonts and colours. */

/** Groups that hold no text to read; so does each that begins with `\*`. */
const unread = new Set(['fonttbl', 'colortbl', 'stylesheet', 'info', 'pict', 'header', 'footer']);
/** What a control word stands for. */
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

/** A word with its number, a character by its code, a character that needs an escape, a brace, a line's end, or text. */
const token =
  /\\([a-zA-Z]+)(-?\d+)? ?|\\'([\da-fA-F]{2})|\\([^a-zA-Z])|([{}])|[\r\n]+|([^\\{}\r\n]+)/g;
const windows1252 = new TextDecoder('windows-1252');

/** Understands every text: a closing brace without an opening one is passed over. */
export function rtfToText(rtf: string): string {
  const reader = new RtfReader();
  for (const [, word, number, code, escaped, brace, plain] of rtf.matchAll(token)) {
    if (brace === '{') reader.openGroup();
    else if (brace === '}') reader.closeGroup();
    else if (word !== undefined) reader.readWord(word, number);
    else if (code !== undefined) reader.add(windows1252Character(code));
    else if (escaped === '*') reader.hideGroup();
    else if (escaped !== undefined) reader.add(escapedCharacter(escaped));
    else for (const character of plain ?? '') reader.add(character);
  }
  return withoutSpareSpace(reader.text);
}

/** The text so far, and the groups that are open where the reading stands. */
class RtfReader {
  text = '';
  readonly #groups: { hidden: boolean; standIns: number }[] = [];
  #group = { hidden: false, standIns: 1 };
  /** Characters still to come that stand in for the one before, for readers that do not know Unicode. */
  #standIns = 0;

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
    if (this.#standIns > 0) this.#standIns -= 1;
    else if (!this.#group.hidden) this.text += character;
  }

  readWord(word: string, number: string | undefined): void {
    if (unread.has(word)) this.hideGroup();
    else if (word === 'uc') this.#group.standIns = Number(number ?? 1);
    else if (word === 'u' && number !== undefined) {
      this.add(String.fromCharCode((Number(number) + 65_536) % 65_536));
      this.#standIns = this.#group.standIns;
    } else if (Object.hasOwn(characters, word)) this.add(characters[word] ?? '');
  }
}

/** `code`: two hexadecimal digits. */
function windows1252Character(code: string): string {
  return windows1252.decode(Uint8Array.of(Number.parseInt(code, 16)));
}

function escapedCharacter(escaped: string): string {
  if (/[\r\n]/.test(escaped)) return '\n';
  return escaped === '~' ? ' ' : escaped;
}

/** One space between words, none at the ends of lines, and at most one empty line between two lines. */
function withoutSpareSpace(text: string): string {
  return text
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/ ?\n ?/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}
