/** What the vendors' release dates say of each source, kept while nothing has been written to its lists. */

import { type CatalogueList, catalogueLists } from '@patch/catalogue/lists.ts';
import { type SourceKey } from '@patch/catalogue/sources.ts';
import { dayLength, dayOf, daysDrawn, usualGapDays } from '@patch/contract/release-rhythm.ts';
import type { ReleaseHistory } from '@patch/contract/sync-endpoints.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { identitiesOf } from '../../platform/database/listed-keys-store.ts';
import { releaseDateColumn, releaseDaysOf, releasesPerDay } from './release-history-store.ts';

const hour = 3_600_000;
/** While a sync writes, each batch raises a revision; nobody needs to see each of them drawn. */
const keptWhileWritten = 15_000;

interface Kept {
  /** Revisions of the source's lists, and the hour: what is today, and what is ahead of now, moves on by itself. */
  readonly version: string;
  readonly readAt: number;
  readonly history: Promise<ReleaseHistory>;
}

export class ReleaseHistories {
  readonly #database: Queryable;
  /** By source and lists. */
  readonly #kept = new Map<string, Kept>();

  constructor(database: Queryable) {
    this.#database = database;
  }

  /**
   * `revisions` by list; `underWay`: a sync of the source runs, and what was read may be up to 15 seconds old. `only`: of these lists of
   * the source, of all where it is absent.
   */
  async of(
    source: SourceKey,
    revisions: ReadonlyMap<string, number>,
    {
      now,
      underWay,
      only,
    }: { readonly now: number; readonly underWay: boolean; readonly only?: readonly string[] },
  ): Promise<ReleaseHistory> {
    const lists = catalogueLists.filter(
      (list) => list.source === source && only?.includes(list.key) !== false,
    );
    const key = [source, ...(only ?? [])].join(' ');
    const version = [
      Math.floor(now / hour),
      ...lists.map((list) => revisions.get(list.key) ?? 0),
    ].join(' ');
    const kept = this.#kept.get(key);
    if (kept !== undefined) {
      if (kept.version === version) return kept.history;
      const age = now - kept.readAt;
      if (underWay && age >= 0 && age < keptWhileWritten) return kept.history;
    }
    const history = readHistory(this.#database, lists, now);
    this.#kept.set(key, { version, readAt: now, history });
    // What failed is asked again.
    history.catch(() => this.#kept.get(key)?.history === history && this.#kept.delete(key));
    return history;
  }
}

async function readHistory(
  database: Queryable,
  lists: readonly CatalogueList[],
  now: number,
): Promise<ReleaseHistory> {
  const dated = lists.filter((list) => releaseDateColumn(list) !== null);
  const found = await Promise.all(
    dated.map(async (list) => ({
      list,
      ...(await releaseDaysOf(database, list, now + dayLength)),
    })),
  );
  const today = dayOf(now);
  const first = today - daysDrawn + 1;
  const perDay = await releasesPerDay(database, dated, {
    from: first * dayLength,
    until: (today + 1) * dayLength,
  });
  const behind = furthestBehind(found, now);
  const days = behind?.days ?? [];
  const ahead = found.flatMap((each) => each.ahead ?? []);
  return {
    isDated: dated.length > 0,
    listLabel: behind === undefined || dated.length < 2 ? null : behind.list.label,
    newest: await newestOf(database, behind),
    usualGapDays: usualGapDays(days),
    daysKnown: days.length,
    ahead:
      ahead.length === 0
        ? null
        : {
            records: ahead.reduce((sum, { records }) => sum + records, 0),
            latest: Math.max(...ahead.map(({ latest }) => latest)),
          },
    firstDay: first * dayLength,
    perDay: Array.from({ length: daysDrawn }, (_, place) => perDay.get(first + place) ?? 0),
  };
}

type Found = { readonly list: CatalogueList } & Awaited<ReturnType<typeof releaseDaysOf>>;

/** The list whose newest record is the most of its usual gaps old; without any rhythm the one with the newest record. Of equals the first. */
function furthestBehind(found: readonly Found[], now: number): Found | undefined {
  const silence = ({ newest, days }: Found) => {
    const gap = usualGapDays(days);
    return newest === null || gap === null ? null : (now - newest.releaseDate) / gap;
  };
  const rhythmic = found.flatMap((each) => {
    const gaps = silence(each);
    return gaps === null ? [] : [{ each, gaps }];
  });
  if (rhythmic.length > 0) return rhythmic.toSorted((a, b) => b.gaps - a.gaps)[0]?.each;
  return found
    .filter(({ newest }) => newest !== null)
    .toSorted((a, b) => (b.newest?.releaseDate ?? 0) - (a.newest?.releaseDate ?? 0))[0];
}

async function newestOf(
  database: Queryable,
  behind: Found | undefined,
): Promise<ReleaseHistory['newest']> {
  if (behind === undefined || behind.newest === null) return null;
  const { list, newest } = behind;
  const { id, releaseDate } = newest;
  const [identity = String(id)] = await identitiesOf(database, list, [id]);
  return { releaseDate, list: list.key, rowId: id, identity };
}
