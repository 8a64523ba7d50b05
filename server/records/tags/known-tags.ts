/** All known tags, in memory: they are requested with every few typed letters, and change only with syncs. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import { fieldOf, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { catalogueLists } from '@patch/catalogue/lists.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { listRevisions, tagsOfList } from './known-tag-store.ts';
import { tagFieldsOf } from './tag-fields.ts';

/** A sync increments a list's revision many times: it is checked at this interval, not with every letter. */
const keptFor = 60_000;

/** By their folded form, one spelling each. */
type Tags = ReadonlyMap<string, string>;

export class KnownTags {
  readonly #database: Queryable;
  readonly #clock: () => number;
  readonly #ofList = new Map<
    string,
    { readonly revision: number; readonly tags: readonly string[] }
  >();
  #all: Tags = new Map();
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | null = null;

  constructor(database: Queryable, clock: () => number) {
    this.#database = database;
    this.#clock = clock;
  }

  /** Tags that begin with the typed text, then those that contain it, each group in its order. */
  async holding(
    typed: string,
    most: number,
    also: readonly string[] = [],
  ): Promise<readonly string[]> {
    const begun = fold(typed.trim());
    if (begun === '') return [];
    if (this.#clock() - this.#readAt >= keptFor) {
      this.#reading ??= this.#read().finally(() => {
        this.#reading = null;
      });
      await this.#reading;
    }
    const first: string[] = [];
    const others: string[] = [];
    for (const folded of also.length === 0
      ? this.#all.keys()
      : new Set([...this.#all.keys(), ...also.map(fold)])) {
      const place = folded.indexOf(begun);
      if (place === 0) first.push(folded);
      else if (place > 0) others.push(folded);
    }
    const spelled = new Map(also.map((tag) => [fold(tag), tag]));
    const inOrder = [...first.toSorted(), ...others.toSorted()].slice(0, most);
    return inOrder.map((folded) => this.#all.get(folded) ?? spelled.get(folded) ?? folded);
  }

  async #read(): Promise<void> {
    const readAt = this.#clock();
    const revisions = await listRevisions(this.#database);
    let changed = false;
    for (const list of catalogueLists) {
      const revision = revisions.get(list.key) ?? 0;
      if (this.#ofList.get(list.key)?.revision === revision) continue;
      this.#ofList.set(list.key, {
        revision,
        tags: [...choicesOf(list), ...(await tagsOfList(this.#database, list))],
      });
      changed = true;
    }
    if (changed) {
      const all = new Map<string, string>();
      for (const { tags } of this.#ofList.values()) {
        for (const tag of tags) {
          const folded = fold(tag);
          if (!all.has(folded)) all.set(folded, tag);
        }
      }
      this.#all = all;
    }
    this.#readAt = readAt;
  }
}

/** Known before any row has them. */
function choicesOf(list: ListDefinition): readonly string[] {
  return tagFieldsOf(list).flatMap((name) => (fieldOf(list, name).choices ?? []).map(String));
}
