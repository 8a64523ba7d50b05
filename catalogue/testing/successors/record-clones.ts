/** New records made of those that are there: the same but for what names them, and the files that are named alike come along. */
import { type Chance, oneOf } from '../chance.ts';
import type { Content, PackedContent } from './packed-content.ts';
import type { PublishedState } from './published-state.ts';
import type { RecordPlace } from './record-places.ts';

type Files = PublishedState['files'];

/** How the clones of one place get their names. */
interface Naming {
  /** Of the clone with that number: old digits by new ones, or the record's text. */
  renamed(
    record: string,
    number: number,
  ): { readonly text: string; readonly digits: ReadonlyMap<string, string> };
}

/** `count` clones of one record behind it; null where nothing names the record. */
export function withClones(place: RecordPlace, count: number, chance: Chance): Files | null {
  const at = Math.floor(chance() * place.records.length);
  const record = place.records[at] ?? '';
  const naming = namingOf(place, record, chance);
  if (naming === null) return null;
  const clones = Array.from({ length: count }, (_, number) => naming.renamed(record, number));
  let files = place.with(new Map([[at, [record, ...clones.map(({ text }) => text)]]]));
  for (const { digits } of clones) files = withFilesOf(files, digits, place.path);
  return files;
}

function namingOf({ records }: RecordPlace, record: string, chance: Chance): Naming | null {
  const others = records.filter((other) => other !== record).join('\n');
  const all = digitsIn(record);
  const own = all.filter((digits) => !digitsIn(others).includes(digits));
  const chosen =
    chance() < 0.4
      ? own
      : (chance() < 0.7 ? own : all).filter((_, __, { length }) => chance() < 1.5 / length);
  if (chosen.length > 0 && chance() < 0.8)
    return byDigits(chosen, new Set(digitsIn(records.join('\n'))), chance);
  const words = [...new Set(record.match(/(?<=[>"' :=])[A-Za-z][\w.+-]{1,40}(?=[<"'\s])/g))];
  return words.length === 0 ? null : byWord(oneOf(words, chance));
}

/** Numbers that can name something: not those of dates and sums. */
function digitsIn(text: string): string[] {
  const plain = text.replaceAll(/[\da-f]{32,}|\d{4}-\d\d-\d\d(?:[T ][\d:.]+)?/gi, ' ');
  return [...new Set(plain.match(/(?<!\d)\d{3,16}(?!\d)/g))];
}

/** The last digits of each number are others; as long as before, as the order of files can depend on it. */
function byDigits(chosen: readonly string[], taken: ReadonlySet<string>, chance: Chance): Naming {
  const from = Math.floor(chance() * 900);
  return {
    renamed(record, number) {
      const digits = new Map(
        chosen.map((old) => {
          let next = from + number;
          const renamed = () => old.slice(0, -3) + String(next % 1000).padStart(3, '0');
          while (taken.has(renamed())) next += 401;
          return [old, renamed()];
        }),
      );
      return { text: withDigits(record, digits), digits };
    },
  };
}

function byWord(word: string): Naming {
  return {
    renamed: (record, number) => ({
      text: record.replaceAll(word, `${word}${number + 2}x`),
      digits: new Map(),
    }),
  };
}

function withDigits(text: string, digits: ReadonlyMap<string, string>): string {
  return text.replaceAll(/(?<!\d)\d{3,16}(?!\d)/g, (number) => digits.get(number) ?? number);
}

/** Files whose path has the old digits are there with the new ones too, inside and out. */
function withFilesOf(files: Files, digits: ReadonlyMap<string, string>, own: string): Files {
  if (digits.size === 0) return files;
  const renewed = new Map<string, PackedContent>();
  for (const [path, file] of files) {
    const content = withMembersOf(file.content, digits);
    const kept = content === file.content ? file : { ...file, content };
    renewed.set(path, kept);
    const renamed = withDigits(path, digits);
    if (path !== own && renamed !== path && kept.content.kind === 'text' && !files.has(renamed)) {
      renewed.set(renamed, {
        ...kept,
        content: { kind: 'text', text: withDigits(kept.content.text, digits) },
      });
    }
  }
  return renewed;
}

function withMembersOf(content: Content, digits: ReadonlyMap<string, string>): Content {
  if (content.kind !== 'archive' || content.archive !== 'cabinet') return content;
  const members = new Map<string, Content>();
  let changed = false;
  for (const [name, member] of content.members) {
    const inner = withMembersOf(member, digits);
    members.set(name, inner);
    const renamed = withDigits(name, digits);
    changed ||= inner !== member;
    if (renamed === name || inner.kind !== 'text' || content.members.has(renamed)) continue;
    members.set(renamed, { kind: 'text', text: withDigits(inner.text, digits) });
    changed = true;
  }
  return changed ? { ...content, members } : content;
}
