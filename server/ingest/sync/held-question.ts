/** What an administrator is asked of the records of one list that would lose content, or change with those that do: how many, what they lose, some by name. */
import type { HeldContent } from '@patch/contract/sync-endpoints.ts';
import { type ChangedPlace, changeText } from './content-loss.ts';
import type { HeldRecord } from './held-content-store.ts';

const examplesShown = 10;
const changesShown = 10;
const placesNamed = 3;

type Undecided = Pick<HeldRecord, 'rowId' | 'contentHash'>;

export class HeldQuestion {
  readonly records: Undecided[] = [];
  readonly #rowsByLabel = new Map<string, number>();
  /** Losses in words, by the record's name: of several rows of one KB the first is enough. */
  readonly #examples = new Map<string, string[]>();

  add(record: Undecided, name: string, changes: readonly ChangedPlace[]): void {
    this.records.push(record);
    // A fact and a table can have one label.
    for (const label of new Set(changes.map((change) => change.label))) this.#count(label, 1);
    if (this.#examples.size < examplesShown && !this.#examples.has(name)) {
      this.#examples.set(name, changes.slice(0, changesShown).map(changeText));
    }
  }

  /** Takes over what another question is about. */
  join(other: HeldQuestion): void {
    for (const record of other.records) this.records.push(record);
    for (const [label, rows] of other.#rowsByLabel) this.#count(label, rows);
    for (const [name, words] of other.#examples)
      if (this.#examples.size < examplesShown) this.#examples.set(name, words);
  }

  get losses(): HeldContent['losses'] {
    return [...this.#rowsByLabel]
      .map(([label, records]) => ({ label, records }))
      .toSorted((a, b) => b.records - a.records);
  }

  get examples(): HeldContent['examples'] {
    return [...this.#examples].map(([name, losses]) => ({ name, losses }));
  }

  /** The fields and tables with most of the records, and how many there are in all. */
  get mostLosses() {
    const { losses } = this;
    return { first: losses.slice(0, placesNamed), total: losses.length };
  }

  #count(label: string, rows: number): void {
    this.#rowsByLabel.set(label, (this.#rowsByLabel.get(label) ?? 0) + rows);
  }
}
