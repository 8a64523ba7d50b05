/** Counts the vendor words of a part that have no mapping, and words one warning for each: a new vocabulary must not pass in silence. */
import type { Entry } from '@patch/catalogue/definition/feed.ts';
import { fold } from '@patch/catalogue/definition/fold.ts';
import { detached } from '@patch/catalogue/formats/detached.ts';
import { count } from './fetch-failed.ts';

/** More different words than this are counted together: a vendor may write free text where a vocabulary was expected. */
const maxWords = 20;
const maxWordLength = 80;

interface Counted {
  readonly vocabulary: string;
  readonly word: string;
  readonly shownAs: string | null;
  readonly example: string;
  records: number;
}

export class UnknownWordCounts {
  readonly #counts = new Map<string, Counted>();
  #recordsBeyond = 0;

  /** The words that the feed reports, and the values of choice fields that are not among the field's choices. */
  count(entry: Entry): void {
    const { list, row, unknownWords = [] } = entry;
    for (const { vocabulary, word, shownAs } of unknownWords) this.#add(entry, vocabulary, word, shownAs);
    for (const [name, { kind, label, choices }] of Object.entries(list.fields)) {
      const word = row[name];
      if (kind !== 'choice' || choices === undefined || typeof word !== 'string') continue;
      if (!choices.some((choice) => fold(String(choice)) === fold(word))) this.#add(entry, label.toLowerCase(), word, null);
    }
  }

  /** One sentence a word, the most frequent first. */
  warnings(): string[] {
    const counted = [...this.#counts.values()].toSorted((a, b) => b.records - a.records);
    const sentences = counted.map(({ vocabulary, word, shownAs, example, records }) => {
      const shown = shownAs === null ? 'It is shown as it is' : `It is shown as ${shownAs}`;
      const where = records === 1 ? `1 record (${example})` : `${count(records)} records, for example ${example}`;
      return `Unknown ${vocabulary} '${word}' in ${where}. ${shown}.`;
    });
    if (this.#recordsBeyond > 0) sentences.push(`More unknown words, in ${count(this.#recordsBeyond)} records.`);
    return sentences;
  }

  #add({ key }: Entry, vocabulary: string, word: string, shownAs: string | null): void {
    const shortWord = word.length > maxWordLength ? `${word.slice(0, maxWordLength).toWellFormed()}…` : word;
    const name = `${vocabulary} ${shortWord}`;
    const before = this.#counts.get(name);
    if (before !== undefined) before.records++;
    else if (this.#counts.size >= maxWords) this.#recordsBeyond++;
    else this.#counts.set(name, { ...detached({ vocabulary, word: shortWord, shownAs, example: key }), records: 1 });
  }
}
