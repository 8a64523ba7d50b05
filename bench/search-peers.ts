/** Services that answer the same searches as the product: plain SQL on its tables, a running Directus, and the product itself. */
import type { Database } from '@patch/server/platform/database/database.ts';
import { httpClient } from './bench-client.ts';
import type { RunningService } from './bench-service.ts';
import { list } from './load-records.ts';
import type { PlainSearch } from './search-classes.ts';

export async function searchProduct(
  { client }: RunningService,
  { size, offset, sort, conditions }: PlainSearch,
): Promise<void> {
  const order = sort === null ? '' : `&sort=${sort}`;
  const filter = conditions.flatMap((condition) => condition.filter ?? []).join(' and ');
  const keyword = conditions.find((condition) => condition.keyword !== undefined)?.keyword;
  await client.expect(200, 'POST', `/api${list.searchPath}?offset=${offset}&size=${size}${order}`, {
    ...(filter !== '' && { filter }),
    ...(keyword !== undefined && { keyword }),
  });
}

const columns =
  'id, title, release_date, bulletin_id, severity, binary_pkg_name, category, os_version';

/** Reads the page and counts the exact total, as a person does who knows the tables. */
export async function searchBare(
  database: Database,
  { size, offset, sort, conditions }: PlainSearch,
): Promise<void> {
  const where = ['withdrawn_time is null', ...conditions.map(({ sql }) => sql)].join(' and ');
  const order = sort === null ? 'release_date desc, id desc' : 'title, id';
  await database.query(
    `select ${columns} from ${list.key} where ${where} order by ${order} limit ${size} offset ${offset}`,
  );
  await database.query(`select count(*) from ${list.key} where ${where}`);
}

export interface DirectusPeer {
  readonly search: (search: PlainSearch) => Promise<void>;
  close(): void;
}

/** Returns null without DIRECTUS_URL. Its records are those of directus-rows.ts. */
export function directusPeer(
  environment: Readonly<Record<string, string | undefined>>,
): DirectusPeer | null {
  const { DIRECTUS_URL: url = '', DIRECTUS_TOKEN: token = '' } = environment;
  if (url === '') return null;
  const collection = environment['DIRECTUS_COLLECTION'] ?? 'bench_errata';
  const client = httpClient(url, { authorization: `Bearer ${token}` });
  return {
    async search({ size, offset, sort, conditions }) {
      const keyword = conditions.find((condition) => condition.keyword !== undefined)?.keyword;
      const filters = conditions.flatMap(({ directus }) => directus ?? []);
      const query = new URLSearchParams({
        limit: String(size),
        offset: String(offset),
        sort: sort ?? '-release_date',
        meta: 'filter_count',
        ...(keyword !== undefined && { search: keyword }),
        ...(filters.length > 0 && { filter: JSON.stringify({ _and: filters }) }),
      });
      await client.expect(200, 'GET', `/items/${collection}?${query.toString()}`);
    },
    close: () => client.close(),
  };
}
