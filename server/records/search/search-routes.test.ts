import { getList } from '@patch/catalogue/lists.ts';
import { searchEndpoint } from '@patch/contract/records/search-endpoint.ts';
import type { FastifyInstance } from 'fastify';
import { beforeAll, expect, test } from 'vitest';
import { appWithRoutes, callerOf } from '../../testing/app-with-routes.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { writeRows } from '../../testing/record-factories.ts';
import { searchRoutes } from './search-routes.ts';
import { buildSearchService } from './testing/build-search-service.ts';

const list = getList('almalinux_patch');

describeWithDatabase('search endpoint', (open) => {
  let app: FastifyInstance;
  beforeAll(async () => {
    const database = await open();
    const rows = ['openssl', 'bash', 'kernel'].map((title, n) => ({
      title,
      bulletinId: `ALSA-${n}`,
      severity: 'Critical',
      osVersion: ['8', '9'],
    }));
    await writeRows(database, list, rows);
    app = await appWithRoutes((answer) =>
      searchRoutes(answer, { searchService: buildSearchService(database) }),
    );
  });
  const caller = callerOf(() => app);
  const search = (body?: object, query = '') => caller.post(`${list.searchPath}${query}`, body);

  test.each([
    ['no body', undefined],
    ['an empty object', {}],
    ['nulls', { filter: null, keyword: null }],
    ['blanks', { filter: ' ', keyword: ' ' }],
  ])('returns all rows for %s', async (_, body) => {
    const { status, json } = await search(body);
    expect([status, json['totalCount']]).toEqual([200, 3]);
    expect(searchEndpoint(list).reply.safeParse(json).success).toBe(true);
  });

  test('applies offset, size, filter, keyword and sort', async () => {
    expect(await search({}, '?offset=1&size=1&sort=title').json).toMatchObject({
      totalCount: 3,
      objList: [{ title: 'kernel' }],
    });
    const filter = "lower(severity) = 'critical' and lower(title) like '%ss%'";
    expect(await search({ filter }).json).toMatchObject({ totalCount: 1 });
    const bash = { title: 'bash', osVersion: ['8', '9'] };
    expect(await search({ keyword: 'ALSA-1' }).list).toMatchObject([bash]);
    expect(await search({}, '?offset=3').json).toEqual({ objList: [], totalCount: 3 });
  });

  // The tests of the filter language and of the contract's endpoint have the other refusals.
  test.each([
    [
      { filter: "lower(titel) = 'x'" },
      '',
      'unknown_field',
      /Unknown field 'titel' at 7\. Searchable fields: bulletinId, severity/,
    ],
    [{ filter: "lower(binaryPkgName) = 'x'" }, '', 'unknown_field', /binaryPkgName/],
    [{}, '?sort=password', 'unknown_sort', /'password'.*Sortable fields: id, title/],
    [{}, '?sort=title,,id', 'unknown_sort', /''/],
  ])('refuses %j%s with the allowed values', async (body, query, code, message) => {
    const userMessage = expect.stringMatching(message);
    expect(await search(body, query)).toMatchObject({ status: 422, json: { code, userMessage } });
  });
});
