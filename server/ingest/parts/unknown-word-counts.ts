/** Counts the vendor words of a part that have no mapping, and creates a warning for each, so that a new vocabulary is noticed. */
import type { Entry } from '@patch/catalogue/definition/feed.ts';
import { fold } from '@patch/catalogue/definition/fold.ts';
import { detachText } from '@patch/catalogue/parsers/detach-text.ts';
import type { RunMessage } from '@patch/contract/sources/run-message.ts';
import type { PartParams } from '../runs/part-params.ts';

/** Maximum of words that are counted separately. A vendor may write free text instead of a vocabulary. */
const maxWords = 20;
const maxWordLength = 80;

/** Maximum of stored keys for each word. The first is the example in the warning. */
const maxKeys = 20;

export interface CountedWord {
  readonly vocabulary: string;
  readonly word: string;
  readonly shownAs: string | null;
  /** Natural keys of the first records with it. */
  readonly keys: readonly string[];
  readonly records: number;
}

export interface CountedWords {
  readonly words: readonly CountedWord[];
  /** Count of records with further words. */
  readonly recordsBeyond: number;
}

export const noWords: CountedWords = { words: [], recordsBeyond: 0 };

interface Counting extends CountedWord {
  readonly keys: string[];
  records: number;
}

export class UnknownWordCounts {
  readonly #counts = new Map<string, Counting>();
  #recordsBeyond = 0;

  /** Counts the words that the feed reports, and values of choice fields that are not choices. */
  count(entry: Entry): void {
    const { list, row, unknownWords = [] } = entry;
    for (const { vocabulary, word, shownAs } of unknownWords)
      this.#add(entry, vocabulary, word, shownAs);
    for (const [name, { kind, label, choices }] of Object.entries(list.fields)) {
      const word = row[name];
      if (kind !== 'choice' || choices === undefined || typeof word !== 'string') continue;
      if (!choices.some((choice) => fold(String(choice)) === fold(word)))
        this.#add(entry, label.toLowerCase(), word, null);
    }
  }

  get counted(): CountedWords {
    return { words: [...this.#counts.values()], recordsBeyond: this.#recordsBeyond };
  }

  #add({ key }: Entry, vocabulary: string, word: string, shownAs: string | null): void {
    const shortWord =
      word.length > maxWordLength ? `${word.slice(0, maxWordLength).toWellFormed()}…` : word;
    const name = `${vocabulary} ${shortWord}`;
    const before = this.#counts.get(name);
    if (before === undefined && this.#counts.size >= maxWords) {
      this.#recordsBeyond++;
      return;
    }
    const counts = before ?? {
      ...detachText({ vocabulary, word: shortWord, shownAs }),
      keys: [],
      records: 0,
    };
    this.#counts.set(name, counts);
    counts.records++;
    if (counts.keys.length < maxKeys) counts.keys.push(detachText(key));
  }
}

/** Returns one message for each word, the most frequent first. */
export function createWordWarnings(
  part: PartParams,
  { words, recordsBeyond }: CountedWords,
): RunMessage[] {
  const messages = words
    .toSorted((a, b) => b.records - a.records)
    .map(
      ({ vocabulary, word, shownAs, keys: [example = ''], records }): RunMessage => ({
        code: 'unknown_word',
        params: { ...part, vocabulary, word, shownAs, records, example },
      }),
    );
  if (recordsBeyond > 0)
    messages.push({ code: 'more_unknown_words', params: { ...part, records: recordsBeyond } });
  return messages;
}

/** Merges the words of an earlier reading with those of a partial reading. @param wasMet returns true for keys that the partial reading has read */
export function mergeWords(
  before: CountedWords,
  now: CountedWords,
  wasMet: (key: string) => boolean,
): CountedWords {
  const words = [...now.words];
  for (const word of before.words) {
    const keys = word.keys.filter((key) => !wasMet(key));
    if (keys.length === 0) continue;
    const records = word.records - (word.keys.length - keys.length);
    const index = words.findIndex(
      (each) => each.vocabulary === word.vocabulary && each.word === word.word,
    );
    const same = words[index];
    if (same === undefined) words.push({ ...word, keys, records });
    else
      words[index] = {
        ...same,
        keys: [...same.keys, ...keys].slice(0, maxKeys),
        records: same.records + records,
      };
  }
  return {
    words: words.slice(0, maxWords),
    recordsBeyond: Math.max(before.recordsBeyond, now.recordsBeyond),
  };
}
