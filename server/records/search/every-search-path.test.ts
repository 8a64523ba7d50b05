import { randomBytes } from 'node:crypto';
import { catalogueLists } from '@patch/catalogue/lists.ts';
import { specified } from '@patch/catalogue/testing/specified.ts';
import type { FastifyInstance } from 'fastify';
import { beforeAll, expect, test } from 'vitest';
import { secretBox } from '../../platform/secrets/secret-box.ts';
import { appWithRoutes, ask } from '../../testing/app-with-routes.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { writeRows } from '../../testing/record-factories.ts';
import { writeClientRows } from '../../testing/written-clients.ts';
import { SearchDesk } from './search-desk.ts';
import { searchRoutes } from './search-routes.ts';

/** The categories are ours: the specification leaves them open. */
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
      // The other views follow from what is written here.
      if (list.viewOf !== undefined) continue;
      await writeRows(database, list, rows);
    }
    app = await appWithRoutes((answer) =>
      searchRoutes(answer, { desk: new SearchDesk({ database, box: secretBox(randomBytes(32)) }) }),
    );
  });
  const search = async (path: string, body?: object) => {
    const reply = await ask(app, 'POST', path, body);
    const rows = (reply.body['objList'] ?? []) as readonly { readonly id: number }[];
    return { ...reply, ids: rows.map(({ id }) => id) };
  };

  test('are those of the lists', () => {
    expect(catalogueLists.map(({ searchPath }) => searchPath)).toEqual(
      expect.arrayContaining(paths),
    );
    expect(paths).toHaveLength(15);
  });

  test.each(paths)('%s answers a page and the number of all', async (path) => {
    const { status, body, ids } = await search(path, {});
    expect(status).toBe(200);
    expect(Object.keys(body).toSorted()).toEqual(specified.searchReply.toSorted());
    expect(body['totalCount']).toBe(path === long ? many : 2);
    expect(ids).toHaveLength(path === long ? size : 2);
  });

  test('what is not asked for begins at the first row and ends with the thousandth', async () => {
    const { offset } = specified.searchDefaults;
    const { ids: unsaid } = await search(long, {});
    const { ids: said } = await search(`${long}?offset=${offset}&size=${size}`, {});
    expect(unsaid).toEqual(said);
    const { ids: rest, body } = await search(`${long}?offset=${size}`, {});
    expect([rest.length, body['totalCount']]).toEqual([many - size, many]);
    expect(unsaid).not.toContain(rest[0]);
  });

  test('/linuxpatch/search takes an empty body', async () => {
    const path = specified.searchPaths[1];
    expect(await search(path)).toMatchObject({ status: 200, body: { totalCount: 2 } });
  });
});
