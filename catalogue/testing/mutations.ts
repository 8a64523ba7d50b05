/** Changes documents at random, like other years, other authors and accidents could; the same chance gives the same change. */
import { type Chance, pick } from './chance.ts';
import { mutatedJson } from './mutated-json.ts';
import { mutatedLines } from './mutated-lines.ts';
import { mutatedXml } from './mutated-xml.ts';
import type { Mutation } from './mutation.ts';

/** Selects the mutation by the form of the text: JSON, XML, or lines. */
export function applyMutation(text: string, chance: Chance): Mutation {
  if (chance() < 0.12) return pick(accidents, chance)(text);
  const value = parseJson(text);
  if (value !== undefined) return mutatedJson(value, chance);
  return text.trimStart().startsWith('<') ? mutatedXml(text, chance) : mutatedLines(text, chance);
}

/** Accidents that affect complete documents. */
const accidents: readonly ((text: string) => Mutation)[] = [
  (text) => ({ content: `\uFEFF${text}`, done: 'a byte order mark' }),
  (text) => ({ content: text.replaceAll('\n', '\r\n'), done: 'line ends of Windows' }),
  (text) => ({ content: Buffer.from(text, 'utf16le'), done: 'UTF-16' }),
  (text) => ({ content: Buffer.from(`${text}é`, 'latin1'), done: 'Latin-1' }),
  (text) => ({ content: text.slice(0, text.length / 2), done: 'cut in half' }),
  (text) => ({ content: text.slice(0, -1), done: 'cut at the end' }),
  (text) => ({ content: text + text, done: 'twice' }),
  (text) => ({ content: `${text}\n\n`, done: 'blank lines behind' }),
  ...[
    '',
    ' \n',
    'null',
    '0',
    '""',
    '[]',
    '{}',
    '<a/>',
    '<!DOCTYPE html><html><body>Service unavailable</body></html>',
    '\0\0\0\0',
  ].map((content) => () => ({ content, done: `only ${JSON.stringify(content)}` })),
];

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}
