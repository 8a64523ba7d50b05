/** Services that answer the same searches: the product and a running Directus. */
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
