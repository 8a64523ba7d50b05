/** Texts that are costly for readers that backtrack. */
import { readInventory } from '../read-inventory.ts';

type Filled = (unit: string) => string;

/** Builds each named text from a repeated unit. */
const hostile: readonly (readonly [string, (filled: Filled) => string])[] = [
  ['opening braces', (filled) => filled('{"')],
  ['lines of opening braces', (filled) => filled('{"\n')],
  ['deep arrays', (filled) => filled('[')],
  ['arrays of arrays by line', (filled) => filled('[[\n')],
  ['white space behind a brace', (filled) => `{${filled(' ').slice(1)}`],
  ['blank lines behind braces', (filled) => filled('{\n\n\n\n')],
  ['escapes that never end', (filled) => filled('\u001b]')],
  ['one line', (filled) => filled('a')],
  ['dashes', (filled) => filled('a-'.repeat(200).concat('\n'))],
  ['dots', (filled) => filled('1.'.repeat(200).concat('\n'))],
  ['spaces', (filled) => filled(`a${' '.repeat(250)}\n`)],
  ['tabs', (filled) => filled(`${'\t'.repeat(400)}x\n`)],
  ['colons', (filled) => filled(`${'a:'.repeat(200)}\n`)],
  ['labels', (filled) => filled('Label:    value\n')],
  ['headers of hotfixes', (filled) => filled('HotFixID\n')],
  ['tables of winget', (filled) => filled('Name  Id  Version\n--------------------\n')],
  ['prompts', (filled) => filled(`${'a@b'.repeat(60)}\n`)],
  ['brackets', (filled) => filled('[01]: KB\n')],
  ['one package again', (filled) => filled('bash-1-1.x86_64\n')],
  ['returns', (filled) => filled('\r')],
  ['zeros', (filled) => filled('\u0000')],
];

export const hostileNames = hostile.map(([name]) => name);

export interface CountedLines {
  /** Lines that were either read or reported as unreadable. */
  readonly counted: number;
  readonly lines: number;
}

export function readHostile(name: string, bytes: number): CountedLines {
  const [, make] = hostile.find(([one]) => one === name) ?? [];
  if (make === undefined) throw new Error(`Unknown hostile text ${name}`);
  const text = make((unit) => unit.repeat(Math.floor(bytes / unit.length)));
  const { understood, unreadableLines } = readInventory(text);
  const counted = understood.reduce((sum, { lines }) => sum + lines, unreadableLines);
  return { counted, lines: text.split('\n').length };
}
