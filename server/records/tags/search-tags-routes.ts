/** Suggests tags. Email addresses are suggested only to administrators with a session, never to API keys. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import { getField, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { catalogueLists } from '@patch/catalogue/lists.ts';
import { maxTagsOffered, searchTagsEndpoint } from '@patch/contract/search-tags-endpoint.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import type { RouteRegistrar } from '../../platform/http/route.ts';
import {
  getTagFields,
  readKnownAddresses,
  readListRevisions,
  readTagsOfList,
} from './known-tag-store.ts';

/** Interval in milliseconds at which revisions are checked. A sync raises them many times. */
const checkIntervalMs = 60_000;

/** Folded tags and one spelling of each. */
type Tags = ReadonlyMap<string, string>;

export class KnownTags {
  readonly #database: Queryable;
  readonly #clock: () => number;
  readonly #tagsByList = new Map<
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

  /** Returns tags that begin with the typed text, then tags that contain it, each group sorted. `also`: further tags to search. */
  async suggest(
    typed: string,
    limit: number,
    additional: readonly string[] = [],
  ): Promise<readonly string[]> {
    const foldedText = fold(typed.trim());
    if (foldedText === '') return [];
    if (this.#clock() - this.#readAt >= checkIntervalMs) {
      this.#reading ??= this.#read().finally(() => {
        this.#reading = null;
      });
      await this.#reading;
    }
    const first: string[] = [];
    const others: string[] = [];
    for (const folded of additional.length === 0
      ? this.#all.keys()
      : new Set([...this.#all.keys(), ...additional.map(fold)])) {
      const index = folded.indexOf(foldedText);
      if (index === 0) first.push(folded);
      else if (index > 0) others.push(folded);
    }
    const spelled = new Map(additional.map((tag) => [fold(tag), tag]));
    const inOrder = [...first.toSorted(), ...others.toSorted()].slice(0, limit);
    return inOrder.map((folded) => this.#all.get(folded) ?? spelled.get(folded) ?? folded);
  }

  async #read(): Promise<void> {
    const readAt = this.#clock();
    const revisions = await readListRevisions(this.#database);
    let changed = false;
    for (const list of catalogueLists) {
      const revision = revisions.get(list.key) ?? 0;
      if (this.#tagsByList.get(list.key)?.revision === revision) continue;
      this.#tagsByList.set(list.key, {
        revision,
        tags: [...getChoices(list), ...(await readTagsOfList(this.#database, list))],
      });
      changed = true;
    }
    if (changed) {
      const all = new Map<string, string>();
      for (const { tags } of this.#tagsByList.values()) {
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

/** Choices are offered even when no row has them. */
function getChoices(list: ListDefinition): readonly string[] {
  return getTagFields(list).flatMap((name) => (getField(list, name).choices ?? []).map(String));
}

interface Dependencies {
  readonly database: Database;
  readonly clock: () => number;
}

export function searchTagsRoutes(route: RouteRegistrar, { database, clock }: Dependencies): void {
  const known = new KnownTags(database, clock);
  route(searchTagsEndpoint, async ({ query: { tag }, user, session }) => {
    const mayKnowAddresses = user?.userType === 'Admin' && session !== null && tag.trim() !== '';
    return [
      ...(await known.suggest(
        tag,
        maxTagsOffered,
        mayKnowAddresses ? await readKnownAddresses(database) : [],
      )),
    ];
  });
}
