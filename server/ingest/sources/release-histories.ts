/** Reads the release history of each source, and caches it until its lists are written to. */

import { type CatalogueList, catalogueLists } from '@patch/catalogue/lists.ts';
import { type SourceKey } from '@patch/catalogue/sources.ts';
import {
  dayLength,
  daysDrawn,
  toDayNumber,
  usualGapDays,
} from '@patch/contract/sources/release-rhythm.ts';
import type { ReleaseHistory } from '@patch/contract/sources/sync-endpoints.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { readIdentities } from '../../platform/database/records/listed-keys-store.ts';
import {
  countReleasesPerDay,
  getReleaseDateColumn,
  readReleaseDays,
} from './release-history-store.ts';

const hour = 3_600_000;
/** Age up to which a history is returned while a sync writes, because each batch raises a revision. */
const maxAgeWhileWrittenMs = 15_000;

interface CachedHistory {
  /** Revisions of the lists of the source, and the hour, because the current day and future dates depend on the time. */
  readonly version: string;
  readonly readAt: number;
  readonly history: Promise<ReleaseHistory>;
}

export class ReleaseHistories {
  readonly #database: Queryable;
  /** Histories by source and lists. */
  readonly #cache = new Map<string, CachedHistory>();

  constructor(database: Queryable) {
    this.#database = database;
  }

  /**
   * Returns the release history of a source.
   *
   * @param revisions by list
   * @param options.underWay a sync of the source is running, so that the result may be up to 15 seconds old
   * @param options.only keys of the lists to include; all lists of the source by default
   */
  async read(
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
    const cached = this.#cache.get(key);
    if (cached !== undefined) {
      if (cached.version === version) return cached.history;
      const age = now - cached.readAt;
      if (underWay && age >= 0 && age < maxAgeWhileWrittenMs) return cached.history;
    }
    const history = readHistory(this.#database, lists, now);
    this.#cache.set(key, { version, readAt: now, history });
    // Removes a failed read, so that the next call tries again.
    history.catch(() => this.#cache.get(key)?.history === history && this.#cache.delete(key));
    return history;
  }
}

async function readHistory(
  database: Queryable,
  lists: readonly CatalogueList[],
  now: number,
): Promise<ReleaseHistory> {
  const dated = lists.filter((list) => getReleaseDateColumn(list) !== null);
  const found = await Promise.all(
    dated.map(async (list) => ({
      list,
      ...(await readReleaseDays(database, list, now + dayLength)),
    })),
  );
  const today = toDayNumber(now);
  const first = today - daysDrawn + 1;
  const perDay = await countReleasesPerDay(database, dated, {
    from: first * dayLength,
    until: (today + 1) * dayLength,
  });
  const behind = findFurthestBehind(found, now);
  const days = behind?.days ?? [];
  const ahead = found.flatMap((each) => each.ahead ?? []);
  return {
    isDated: dated.length > 0,
    listLabel: behind === undefined || dated.length < 2 ? null : behind.list.label,
    newest: await readNewest(database, behind),
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
    perDay: Array.from({ length: daysDrawn }, (_, index) => perDay.get(first + index) ?? 0),
  };
}

type DatedList = { readonly list: CatalogueList } & Awaited<ReturnType<typeof readReleaseDays>>;

/** Returns the list whose newest record is the oldest in relation to its usual gap, or without usual gaps the list with the newest record. */
function findFurthestBehind(found: readonly DatedList[], now: number): DatedList | undefined {
  const silence = ({ newest, days }: DatedList) => {
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

async function readNewest(
  database: Queryable,
  behind: DatedList | undefined,
): Promise<ReleaseHistory['newest']> {
  if (behind === undefined || behind.newest === null) return null;
  const { list, newest } = behind;
  const { id, releaseDate } = newest;
  const [identity = String(id)] = await readIdentities(database, list, [id]);
  return { releaseDate, list: list.key, rowId: id, identity };
}
