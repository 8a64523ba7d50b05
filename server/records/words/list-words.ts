/** The names and words of lists in memory, for the reading of queries. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { getTitleColumn } from '../criteria/match-rank.ts';
import type { ListMemory } from '../memory/list-memory.ts';
import { getKeywordTexts } from '../memory/memory-search.ts';
import { NameDictionary } from './name-dictionary.ts';
import type { QueryWords } from './query-reading.ts';
import type { KnownWords } from './spelling.ts';

/** Titles whose words are compared in order. Words that more titles have are those of a product, as `windows server 2019`. */
const maxTitles = 2_000;

export const createQueryWords = (list: ListDefinition): QueryWords => ({
  names: new NameDictionary(list, new Map()),
  texts: null,
});

export class ListWords {
  /** By list in memory. Its columns keep all values that they have had, so that a dictionary is complete until their number grows. */
  readonly #dictionaries = new WeakMap<
    ListMemory,
    { readonly distinct: number; readonly names: NameDictionary }
  >();

  get(list: ListDefinition, memory: ListMemory): QueryWords {
    return { names: this.#getNames(list, memory), texts: readTexts(list, memory) };
  }

  #getNames(list: ListDefinition, memory: ListMemory): NameDictionary {
    const distinct = [...memory.words.values()].reduce((sum, column) => sum + column.distinct, 0);
    const known = this.#dictionaries.get(memory);
    if (known?.distinct === distinct) return known.names;
    const values = Array.from(
      memory.words,
      ([name, column]) => [name, column.listTexts()] as const,
    );
    const names = new NameDictionary(list, new Map(values));
    this.#dictionaries.set(memory, { distinct, names });
    return names;
  }
}

function readTexts(list: ListDefinition, memory: ListMemory): KnownWords | null {
  const [keyword] = getKeywordTexts(list);
  const texts = keyword === undefined ? undefined : memory.getTexts(keyword.column);
  if (texts === undefined) return null;
  const { column } = getTitleColumn(list);
  const titles = column === null ? undefined : memory.getTexts(column);
  return {
    has: (text) => texts.hasWord(text),
    count: (word) => texts.countWord(word),
    isInTitle: (words) => titles?.hasSequence(words, maxTitles) === true,
  };
}
