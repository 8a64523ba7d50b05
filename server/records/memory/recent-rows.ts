/**
 * Keeps the rows with the words that were searched last, until a text changes: a person who types a query changes its last word, and
 * a common one before it takes 10 ms in a million records, at each letter.
 */
import type { RowSet } from './row-set.ts';

/** Each takes a bit for each row of the list. */
const maxWords = 16;
/** Fewer rows are found again as fast. */
const minRows = 10_000;

export class RecentRows {
  /** Those that were asked for last are at the end. */
  readonly #byWord = new Map<string, RowSet>();

  get bytes(): number {
    let bytes = 0;
    for (const { rows } of this.#byWord.values()) bytes += rows / 8;
    return bytes;
  }

  /** Returns the rows of `find`, which nobody may change. @param word - With all that the rows depend on beside the texts. */
  find(word: string, find: () => RowSet): RowSet {
    const known = this.#byWord.get(word);
    const rows = known ?? find();
    this.#byWord.delete(word);
    if (known !== undefined || rows.size >= minRows) this.#byWord.set(word, rows);
    const [oldest] = this.#byWord.keys();
    if (this.#byWord.size > maxWords && oldest !== undefined) this.#byWord.delete(oldest);
    return rows;
  }

  clear(): void {
    if (this.#byWord.size > 0) this.#byWord.clear();
  }
}
