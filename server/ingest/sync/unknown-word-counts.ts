/** Counts the vendor words of a part that have no mapping, and words one warning for each: a new vocabulary must not pass in silence. */
import type { Entry } from '@patch/catalogue/definition/feed.ts';
import { fold } from '@patch/catalogue/definition/fold.ts';
import { detached } from '@patch/catalogue/parsers/detached.ts';
import type { RunMessage } from '@patch/contract/run-message.ts';
import type { PartParams } from './part-params.ts';

/** More different words than this are counted together: a vendor may write free text where a vocabulary was expected. */
const maxWords = 20;
const maxWordLength = 80;

/** Records that are named of each word, the first of them as example. */
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
  /** Records with words beyond the most that are counted apart. */
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

  /** The words that the feed reports, and the values of choice fields that are not among the field's choices. */
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
    const counting = before ?? {
      ...detached({ vocabulary, word: shortWord, shownAs }),
      keys: [],
      records: 0,
    };
    this.#counts.set(name, counting);
    counting.records++;
    if (counting.keys.length < maxKeys) counting.keys.push(detached(key));
  }
}

/** One message for each word, the most frequent first. */
export function wordWarnings(
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

/** Those of an earlier reading joined with those of one that looked at some of the records only. */
export function carriedWords(
  before: CountedWords,
  now: CountedWords,
  wasMet: (key: string) => boolean,
): CountedWords {
  const words = [...now.words];
  for (const word of before.words) {
    const keys = word.keys.filter((key) => !wasMet(key));
    if (keys.length === 0) continue;
    const records = word.records - (word.keys.length - keys.length);
    const place = words.findIndex(
      (other) => other.vocabulary === word.vocabulary && other.word === word.word,
    );
    const same = words[place];
    if (same === undefined) words.push({ ...word, keys, records });
    else
      words[place] = {
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
