/** Suggests tags. Email addresses are suggested only to administrators with a session, never to API keys. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import { getField, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { catalogueLists } from '@patch/catalogue/lists.ts';
import {
  maxTagsOffered,
  searchTagsEndpoint,
} from '@patch/contract/records/search-tags-endpoint.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import type { RouteRegistrar } from '../../platform/http/route.ts';
import type { Sight } from '../../platform/http/sight.ts';
import { isOfMachines } from '../criteria/computed-criteria.ts';
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
  /** Without those of rows that do not exist for users of some groups. */
  #ofAnybody: Tags = new Map();
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | null = null;

  constructor(database: Queryable, clock: () => number) {
    this.#database = database;
    this.#clock = clock;
  }

  /** Returns tags that begin with the typed text, then tags that contain it, each group sorted. @param additional - further tags to search */
  async suggest(
    typed: string,
    limit: number,
    { additional = [], sight }: { readonly additional?: readonly string[]; readonly sight: Sight },
  ): Promise<readonly string[]> {
    const foldedText = fold(typed.trim());
    if (foldedText === '') return [];
    if (this.#clock() - this.#readAt >= checkIntervalMs) {
      this.#reading ??= this.#read().finally(() => {
        this.#reading = null;
      });
      await this.#reading;
    }
    const known = sight.groups === null ? this.#all : this.#ofAnybody;
    const first: string[] = [];
    const others: string[] = [];
    for (const folded of additional.length === 0
      ? known.keys()
      : new Set([...known.keys(), ...additional.map(fold)])) {
      const index = folded.indexOf(foldedText);
      if (index === 0) first.push(folded);
      else if (index > 0) others.push(folded);
    }
    const spelled = new Map(additional.map((tag) => [fold(tag), tag]));
    const inOrder = [...first.toSorted(), ...others.toSorted()].slice(0, limit);
    return inOrder.map((folded) => known.get(folded) ?? spelled.get(folded) ?? folded);
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
      this.#all = this.#spellings(catalogueLists);
      this.#ofAnybody = this.#spellings(catalogueLists.filter((list) => !isOfMachines(list)));
    }
    this.#readAt = readAt;
  }

  #spellings(lists: readonly ListDefinition[]): Tags {
    const tags = lists.flatMap(({ key }) => this.#tagsByList.get(key)?.tags ?? []);
    // The first of several spellings stays.
    return new Map(tags.toReversed().map((tag) => [fold(tag), tag]));
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
  route(searchTagsEndpoint, async ({ query: { tag }, user, session, sight }) => {
    const mayKnowAddresses = user?.userType === 'Admin' && session !== null && tag.trim() !== '';
    return [
      ...(await known.suggest(tag, maxTagsOffered, {
        additional: mayKnowAddresses ? await readKnownAddresses(database) : [],
        sight,
      })),
    ];
  });
}
