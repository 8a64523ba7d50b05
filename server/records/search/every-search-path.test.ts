import { catalogueLists } from '@patch/catalogue/lists.ts';
import { specified } from '@patch/catalogue/testing/specified.ts';
import type { FastifyInstance } from 'fastify';
import { beforeAll, expect, test } from 'vitest';
import { appWithRoutes, ask } from '../../testing/app-with-routes.ts';
import { writeClientRows } from '../../testing/client-rows.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { writeRows } from '../../testing/record-factories.ts';
import { searchRoutes } from './search-routes.ts';
import { buildSearchService } from './testing/build-search-service.ts';

/** The specification leaves the categories open, so that these are our choice. */
const paths = specified.searchPaths.flatMap((path) =>
  path.endsWith('{category}')
    ? ['kb-base', 'patch-list'].map((category) => path.replace('{category}', category))
    : [path],
);

describeWithDatabase('the search paths of the specification', (open) => {
  let app: FastifyInstance;
  const { size } = specified.searchDefaults;
  const many = size + 1;
  const long = '/linux/almalinux/search';
  beforeAll(async () => {
    const database = await open();
    for (const list of catalogueLists) {
      const rows = Array.from({ length: list.searchPath === long ? many : 2 }, (_, n) => ({
        ...Object.fromEntries(list.identity.map((name) => [name, `X-${n}`])),
        ...(Object.hasOwn(list.fields, 'title') && { title: `Title ${n}` }),
      }));
      if (list.key === 'floto_user') await writeClientRows(database, rows);
      // Other views read the rows of these lists.
      if (list.viewOf !== undefined) continue;
      await writeRows(database, list, rows);
    }
    app = await appWithRoutes((answer) =>
      searchRoutes(answer, { searchService: buildSearchService(database) }),
    );
  });
  const search = async (path: string, body?: object) => {
    const reply = await ask(app, 'POST', path, body);
    const rows = (reply.body['objList'] ?? []) as readonly { readonly id: number }[];
    return { ...reply, ids: rows.map(({ id }) => id) };
  };

  test('equal the search paths of the lists', () => {
    expect(catalogueLists.map(({ searchPath }) => searchPath)).toEqual(
      expect.arrayContaining(paths),
    );
    expect(paths).toHaveLength(15);
  });

  test.each(paths)('returns a page and the total from %s', async (path) => {
    const { status, body, ids } = await search(path, {});
    expect(status).toBe(200);
    expect(Object.keys(body).toSorted()).toEqual(specified.searchReply.toSorted());
    expect(body['totalCount']).toBe(path === long ? many : 2);
    expect(ids).toHaveLength(path === long ? size : 2);
  });

  test('returns the first thousand rows by default', async () => {
    const { offset } = specified.searchDefaults;
    const { ids: byDefault } = await search(long, {});
    const { ids: explicit } = await search(`${long}?offset=${offset}&size=${size}`, {});
    expect(byDefault).toEqual(explicit);
    const { ids: rest, body } = await search(`${long}?offset=${size}`, {});
    expect([rest.length, body['totalCount']]).toEqual([many - size, many]);
    expect(byDefault).not.toContain(rest[0]);
  });

  test('accepts an empty body at /linuxpatch/search', async () => {
    const path = specified.searchPaths[1];
    expect(await search(path)).toMatchObject({ status: 200, body: { totalCount: 2 } });
  });
});
