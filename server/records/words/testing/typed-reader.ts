/** Reads queries by the values and words of a list that a test states. */
import { getList } from '@patch/catalogue/lists.ts';
import type { FieldCriterion } from '@patch/contract/filter/criterion.ts';
import { NameDictionary } from '../name-dictionary.ts';
import { readQuery } from '../query-reading.ts';

interface TypedReader {
  /** A part as `text`, `text: field operator value`, or `-text` where it is left out. */
  readonly read: (query: string, except?: readonly string[]) => readonly string[];
  readonly criteria: (query: string) => readonly FieldCriterion[];
}

export function createReader(
  key: Parameters<typeof getList>[0],
  values: Readonly<Record<string, readonly string[]>>,
  { words, now }: { readonly words: string; readonly now: number },
): TypedReader {
  const list = getList(key);
  const known = words.split(' ');
  const names = new NameDictionary(list, new Map(Object.entries(values)));
  const texts = {
    has: (text: string) => known.some((word) => word.includes(text)),
    count: (word: string) => (known.includes(word) ? 9 : 0),
    isInTitle: () => false,
  };
  const readAll = (query: string, except: readonly string[] = []) =>
    readQuery(list, query, { names, texts }, new Set(except), now);
  return {
    read: (query, except) =>
      readAll(query, except).parts.map(({ text, criterion, keyword, leftOut }) => {
        if (leftOut === true) return `-${text}`;
        if (criterion === undefined) return keyword ?? '';
        const { paramName, operator, value, toValue } = criterion;
        const ends = [value, toValue].filter((end) => end !== undefined).map(writeValue);
        return `${text}: ${[paramName, operator, ...ends].join(' ')}`;
      }),
    criteria: (query) => readAll(query).criteria,
  };
}

/** Writes moments as they are in UTC, a whole day as its date. */
const writeValue = (value: unknown): string =>
  typeof value === 'number'
    ? new Date(value).toISOString().replace('T00:00:00.000Z', '').replace('T23:59:59.999Z', '!')
    : String(value);
