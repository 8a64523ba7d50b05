/** Rich text as plain text: its paragraphs and characters, nothing of its fonts and colours. */

/** Groups that hold no text to read; so does each that begins with `\*`. */
const unread = new Set(['fonttbl', 'colortbl', 'stylesheet', 'info', 'pict', 'header', 'footer']);
const breaks = new Set(['par', 'line', 'sect', 'page', 'row']);
const characters: Readonly<Record<string, string>> = {
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

export function rtfToText(rtf: string): string {
  let text = '';
  const groups: { hidden: boolean; skip: number }[] = [];
  let group = { hidden: false, skip: 1 };
  /** Characters that stand in for the one before, for readers that do not know Unicode. */
  let standIns = 0;
  const add = (character: string) => {
    if (standIns > 0) standIns -= 1;
    else if (!group.hidden) text += character;
  };
  for (const [, word, number, code, escaped, brace, plain] of rtf.matchAll(token)) {
    if (brace === '{') groups.push({ ...group });
    else if (brace === '}') group = groups.pop() ?? group;
    else if (word !== undefined) {
      if (unread.has(word)) group.hidden = true;
      else if (word === 'uc') group.skip = Number(number ?? 1);
      else if (word === 'u' && number !== undefined) {
        add(String.fromCharCode((Number(number) + 65_536) % 65_536));
        standIns = group.skip;
      } else if (breaks.has(word)) add('\n');
      else if (Object.hasOwn(characters, word)) add(characters[word] ?? '');
    } else if (code !== undefined)
      add(windows1252.decode(Uint8Array.of(Number.parseInt(code, 16))));
    else if (escaped === '*') group.hidden = true;
    else if (escaped !== undefined)
      add(/[\r\n]/.test(escaped) ? '\n' : escaped === '~' ? ' ' : escaped);
    else for (const character of plain ?? '') add(character);
  }
  return text
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/ ?\n ?/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}
