/** A running Directus that holds the same rows as the product, asked for the same searches: see directus-rows.ts for how it gets them. */

import { type HttpClient, httpClient } from './measure.ts';
import type { SearchAsked } from './search-classes.ts';

export interface DirectusAddress {
  readonly url: string;
  readonly token: string;
  readonly collection: string;
}

export interface DirectusPeer {
  readonly ask: (asked: SearchAsked) => Promise<void>;
  close(): void;
}

/** Null without an address. A token and a collection are needed with one. */
export function directusAddress(
  environment: Readonly<Record<string, string | undefined>>,
): DirectusAddress | null {
  const url = environment['DIRECTUS_URL'];
  if (url === undefined || url === '') return null;
  const token = environment['DIRECTUS_TOKEN'];
  if (token === undefined || token === '')
    throw new Error('DIRECTUS_URL needs DIRECTUS_TOKEN, a static token that may read the rows');
  return { url, token, collection: environment['DIRECTUS_COLLECTION'] ?? 'bench_errata' };
}

/** Each search with its exact total, as the product answers it. */
export function directusPeer({ url, token, collection }: DirectusAddress): DirectusPeer {
  const client: HttpClient = httpClient(url, `Bearer ${token}`, 64);
  return {
    async ask(asked) {
      const path = `/items/${collection}?${directusQuery(asked).toString()}`;
      const { status, text } = await client.ask('GET', path);
      if (status !== 200) throw new Error(`Directus answered ${status}: ${text.slice(0, 500)}`);
    },
    close: () => client.close(),
  };
}

/** Text within text is compared without case, except where a text must be absent: Directus has no such operator. */
export function directusQuery({ size, offset, sort, conditions }: SearchAsked): URLSearchParams {
  const query = new URLSearchParams({
    limit: String(size),
    offset: String(offset),
    sort: sort === 'title' ? 'title' : '-release_date',
    meta: 'filter_count',
  });
  const filters: unknown[] = [];
  for (const condition of conditions) {
    switch (condition.kind) {
      case 'keyword':
        query.set('search', condition.word);
        break;
      case 'contains':
        filters.push({ title: { _icontains: condition.text } });
        break;
      case 'lacks':
        filters.push({ title: { _ncontains: condition.text } });
        break;
      case 'released':
        filters.push({ release_date: { _between: [condition.from, condition.to] } });
        break;
      case 'bulletins':
        filters.push({ bulletin_id: { _in: condition.ids } });
    }
  }
  if (filters.length > 0) query.set('filter', JSON.stringify({ _and: filters }));
  return query;
}
