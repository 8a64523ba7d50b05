/** A few rows of each list, from which the work of a search is judged before it is done: how long its texts are, and how often parts of words stand in them. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { z } from 'zod';
import { type ListSource, readerOf } from '../../platform/database/database.ts';
import { columnsOfList } from '../../platform/database/list-columns.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { trigramsOf } from '../criteria/like-pattern.ts';

export interface ListSample {
  /** Rows of the list that are not withdrawn. */
  readonly listed: number;
  /** The keyword of each row of the sample. */
  readonly keywords: readonly string[];
  /** Characters of a value on average, by folded column; the keyword among them. */
  readonly widths: ReadonlyMap<string, number>;
}

const wantedRows = 300;
/** A sample is read again after so long, in milliseconds, or when the list has grown or shrunk by a fifth. */
const sampleLives = 600_000;
/** How many rows are listed is asked again after so long. Milliseconds. */
const countLives = 5_000;

interface Kept {
  readonly sample: Promise<ListSample>;
  readonly takenAt: number;
  listed: { readonly count: Promise<number>; readonly askedAt: number } | null;
}

const ListedRow = z.object({ listed: z.number() });

const SampleRow = z.object({
  widths: z.record(z.string(), z.number()),
  keywords: z.array(z.string()),
});

export class ListSamples {
  readonly #database: ListSource;
  readonly #now: () => number;
  readonly #kept = new Map<string, Kept>();

  constructor(database: ListSource, now: () => number = () => performance.now()) {
    this.#database = database;
    this.#now = now;
  }

  async of(list: ListDefinition): Promise<ListSample> {
    const kept = this.#kept.get(list.key);
    if (kept !== undefined && this.#now() - kept.takenAt < sampleLives) {
      const sample = await kept.sample;
      if (kept.listed === null || this.#now() - kept.listed.askedAt > countLives) {
        const count = this.#listed(list);
        kept.listed = { count, askedAt: this.#now() };
        count.catch(() => (kept.listed = null));
      }
      const listed = await kept.listed.count;
      if (Math.abs(listed - sample.listed) <= sample.listed / 5) return { ...sample, listed };
    }
    const sample = this.#take(list);
    this.#kept.set(list.key, { sample, takenAt: this.#now(), listed: null });
    sample.catch(() => this.#kept.delete(list.key));
    return sample;
  }

  async #listed(list: ListDefinition): Promise<number> {
    const rows = await queryRows(
      readerOf(this.#database, list),
      ListedRow,
      'select listed from list_revision where list = $1',
      [list.key],
    );
    return rows[0]?.listed ?? 0;
  }

  /** Rows at distances that are even but for chance: what recurs at every so many rows is neither missed nor met each time. */
  async #take(list: ListDefinition): Promise<ListSample> {
    const folded = columnsOfList(list).flatMap((columns) => columns.folded ?? []);
    const lengths = ['keyword', ...folded].map(
      (column) => `coalesce(avg(length(${column})), 0)::float8 as "${column}"`,
    );
    const rows = await queryRows(
      readerOf(this.#database, list),
      SampleRow,
      `with bounds as (select min(id) as low, max(id) as high from ${list.key} where withdrawn_time is null),
        places as (select distinct low + floor((high - low) * (place + random()) / ${wantedRows})::bigint as place from bounds, generate_series(0, ${wantedRows - 1}) as place where low is not null),
        sampled as materialized (select distinct on (picked.id) picked.* from places cross join lateral
          (select * from ${list.key} where id >= places.place and withdrawn_time is null order by id limit 1) as picked)
      select (select row_to_json(widths) from (select ${lengths.join(', ')} from sampled) as widths) as widths,
        (select coalesce(json_agg(keyword), '[]') from sampled) as keywords`,
    );
    const listed = await this.#listed(list);
    return {
      listed,
      keywords: rows[0]?.keywords ?? [],
      widths: new Map(Object.entries(rows[0]?.widths ?? {})),
    };
  }
}

/**
 * How many rows the index of words would name for any of the patterns, by the sample: those that have all parts of the pattern, wherever
 * they stand. It reads them all, however few of them meet the pattern, which is what the planner guesses.
 */
export function rowsWithParts(
  patterns: readonly string[],
  { listed, keywords }: ListSample,
): number {
  if (keywords.length === 0) return 0;
  const parts = patterns.map(trigramsOf);
  const named = keywords.filter((keyword) =>
    parts.some((trigrams) => trigrams.every((trigram) => keyword.includes(trigram))),
  );
  return (named.length / keywords.length) * listed;
}
