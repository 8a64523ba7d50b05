/** Changes text of lines at random: stanzas of fields, YAML, lists. */
import { type Chance, pick } from './chance.ts';
import type { Mutation } from './mutation.ts';
import { oddTexts } from './odd-values.ts';

export function mutatedLines(text: string, chance: Chance): Mutation {
  const lines = text.split('\n');
  const at = Math.floor(chance() * lines.length);
  const line = lines[at] ?? '';
  const odd = pick(oddTexts, chance).replace('\uD800', '');
  const versions: [string, string[]][] = [
    ['gone', []],
    ['twice', [line, line]],
    ['cut', [line.slice(0, line.length * chance())]],
    ['odd value', [line.replace(/([:=,-]\s*)[^:=,-]*$/, (_, before: string) => before + odd)]],
    ['odd line', [odd, line]],
    ['indented', [`  ${line}`]],
    ['not indented', [line.trimStart()]],
    ['swapped', [lines[at + 1] ?? '', line]],
    ['odd word', [line.replace(/\S+$/, () => odd)]],
  ];
  const [done, is] = pick(versions, chance);
  return {
    content: lines.toSpliced(at, done === 'swapped' ? 2 : 1, ...is).join('\n'),
    done: `line ${at + 1} ${done}: ${line.slice(0, 80)} -> ${is.join(' | ').slice(0, 80)}`,
  };
}
