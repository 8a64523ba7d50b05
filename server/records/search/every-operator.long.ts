/** Searches every field of every list with every operator on many rows. Reports the slowest searches and fails those over the limit. */
import {
  getField,
  isFilterable,
  type ListDefinition,
} from '@patch/catalogue/definition/list-definition.ts';
import { catalogueLists } from '@patch/catalogue/lists.ts';
import { wireOperatorsOfKind } from '@patch/contract/filter/wire-operators.ts';
import { beforeAll, expect, test } from 'vitest';
import type { Database } from '../../platform/database/database.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { fillWithRows, getFieldWords } from '../../testing/many-rows.ts';
import { readSearch } from '../criteria/search-request.ts';
import { SearchStore } from './search-store.ts';

const rows = Number(process.env['SWEEP_ROWS'] ?? 50_000);
const lists = catalogueLists.filter(({ key }) =>
  (process.env['SWEEP_LISTS'] ?? key).split(',').includes(key),
);
/** Milliseconds after which a search fails. */
const limit = Number(process.env['SWEEP_LIMIT'] ?? 10_000);
const reported = 15;

interface SearchCase {
  readonly filter: string;
  readonly sort?: string;
  readonly offset?: number;
}

/** Creates filters with the operator that match none, few, half and all of the rows with a value. */
function createFilters(list: ListDefinition, name: string, operator: string): readonly string[] {
  const { kind } = getField(list, name);
  if (operator.startsWith('is ')) return [`${name} ${operator}`];
  if (kind === 'flag') return [`${name} ${operator} true`, `${name} ${operator} false`];
  const filterName = list.filterName[name] ?? name;
  if (operator.endsWith('like')) {
    const { few, half } = getFieldWords(list, name);
    const found = ['absent', few, half, 'ever'].map((word) => word.toLowerCase());
    return found
      .flatMap((word) => [`%${word}%`, `${word}%`, `%${word}`])
      .map((pattern) => `lower(${filterName}) ${operator} '${pattern}'`);
  }
  const { few, half } = getFieldWords(list, name);
  const isWords = wireOperatorsOfKind(kind).includes('like');
  const own = isWords
    ? ['absent', few, half].map((word) => `'${word.toLowerCase()}'`)
    : (kind === 'decimal' ? [-1, 0.001, 0.5, 1.5] : [-1, 50, rows / 2, rows * 2]).map(String);
  const left = isWords ? `lower(${filterName})` : filterName;
  if (operator === 'between') return own.map((value) => `${left} between -2 and ${value}`);
  if (operator.endsWith('in'))
    return own.map((_, index) => `${left} ${operator} (${own.slice(0, index + 1).join(', ')})`);
  return own.map((value) => `${left} ${operator} ${value}`);
}

function createSearches(list: ListDefinition): readonly SearchCase[] {
  const names = ['id', ...Object.keys(list.fields)].filter(
    (name) => isFilterable(list, name) && getField(list, name).sealed !== true,
  );
  return names.flatMap((name) => {
    const filters = wireOperatorsOfKind(getField(list, name).kind).flatMap((operator) =>
      createFilters(list, name, operator),
    );
    const half = filters.at(-1) ?? '';
    const orders = [name, `-${name}`].flatMap((sort) =>
      ['', half].flatMap((filter) => [0, rows / 4].map((offset) => ({ filter, sort, offset }))),
    );
    return [...filters.map((filter) => ({ filter })), ...orders];
  });
}

interface Measured {
  readonly milliseconds: number;
  readonly said: string;
}

const formatSlowest = (measured: readonly Measured[]) =>
  measured
    .toSorted((a, b) => b.milliseconds - a.milliseconds)
    .slice(0, reported)
    .map(({ milliseconds, said }) => `${milliseconds} ms  ${said}`)
    .join('\n');

describeWithDatabase('every operator', (open) => {
  let database: Database;

  beforeAll(async () => {
    database = await open();
  });

  /** Measures the work, and adds its error to `failed`. */
  async function measured(
    said: string,
    failed: string[],
    work: () => Promise<void>,
  ): Promise<Measured> {
    const start = performance.now();
    await work().catch((error: unknown) => failed.push(`${said}: ${String(error)}`));
    return { milliseconds: Math.round(performance.now() - start), said };
  }

  test.each(lists)(
    'searches $key by each field within the limit',
    { timeout: 3_600_000 },
    async (list) => {
      await fillWithRows(database, list, rows);
      const failed: string[] = [];
      const searches: Measured[] = [];
      const files: Measured[] = [];
      for (const { filter, sort, offset = 0 } of createSearches(list)) {
        const store = new SearchStore(database);
        const search = readSearch(
          list,
          { offset, size: 50, sort },
          { filter },
          { restricted: true, groups: null },
        );
        const said = `${filter} ${sort === undefined ? '' : `by ${sort} from ${offset}`}`;
        const find = async () => void (await store.find(search, AbortSignal.timeout(limit)));
        searches.push(await measured(said, failed, find));
      }
      const names = Object.keys(list.fields).filter((name) => getField(list, name).sealed !== true);
      for (const sort of names) {
        const search = readSearch(
          list,
          { offset: 0, size: 1000, sort },
          {},
          { restricted: true, groups: null },
        );
        const pages = new SearchStore(database).pages(search, AbortSignal.timeout(6 * limit));
        const read = async () => {
          let pageCount = 0;
          for await (const page of pages) pageCount += Math.min(1, page.length);
          expect(pageCount).toBeGreaterThanOrEqual(rows / 500);
        };
        files.push(await measured(`all rows by ${sort}`, failed, read));
      }
      for (const kind of [searches, files])
        process.stdout.write(
          `${list.key}, ${rows} rows, the slowest of ${kind.length}:\n${formatSlowest(kind)}\n`,
        );
      expect(failed).toEqual([]);
    },
  );
});
