import { randomBytes } from 'node:crypto';
import { getList } from '@patch/catalogue/lists.ts';
import { searchEndpoint } from '@patch/contract/search-endpoint.ts';
import * as fc from 'fast-check';
import type { FastifyInstance } from 'fastify';
import { beforeAll, expect, test } from 'vitest';
import { secretBox } from '../../platform/secrets/secret-box.ts';
import { appWithRoutes, ask } from '../../testing/app-with-routes.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { writeRows } from '../../testing/record-factories.ts';
import { searchRoutes } from './search-routes.ts';
import { SearchService } from './search-service.ts';

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
      searchRoutes(answer, {
        desk: new SearchService({ database, box: secretBox(randomBytes(32)) }),
      }),
    );
  });
  const search = (body?: object | string, query = '') =>
    ask(app, 'POST', `${list.searchPath}${query}`, body);

  test.each([
    ['no body', undefined],
    ['an empty object', {}],
    ['nulls', { filter: null, keyword: null }],
    ['blanks', { filter: ' ', keyword: ' ' }],
  ])('returns all rows for %s', async (_, body) => {
    const reply = await search(body);
    expect(reply).toMatchObject({ status: 200, body: { totalCount: 3 } });
    expect(searchEndpoint(list).reply.safeParse(reply.body).success).toBe(true);
  });

  test('applies offset, size, filter, keyword and sort', async () => {
    expect(await search({}, '?offset=1&size=1&sort=title')).toMatchObject({
      status: 200,
      body: { totalCount: 3, objList: [{ title: 'kernel' }] },
    });
    expect(
      await search({ filter: "lower(severity) = 'critical' and lower(title) like '%ss%'" }),
    ).toMatchObject({
      body: { totalCount: 1 },
    });
    expect(await search({ keyword: 'ALSA-1' })).toMatchObject({
      body: { objList: [{ title: 'bash', osVersion: ['8', '9'] }] },
    });
    expect(await search({}, '?offset=3')).toEqual({
      status: 200,
      body: { objList: [], totalCount: 3 },
    });
  });

  test.each([
    [
      'an unknown field',
      { filter: "lower(titel) = 'x'" },
      '',
      'unknown_field',
      /Unknown field 'titel' at 7\. Searchable fields: bulletinId, severity/,
    ],
    [
      'a field that is not searchable',
      { filter: "lower(binaryPkgName) = 'x'" },
      '',
      'unknown_field',
      /binaryPkgName/,
    ],
    ['an unknown operator', { filter: "title ~ 'x'" }, '', undefined, /at 7/],
    ['an unterminated string', { filter: "lower(title) = 'x" }, '', 'unterminated_string', /at 16/],
    [
      'a wrong type',
      { filter: "releaseDate > 'x'" },
      '',
      'wrong_type',
      /releaseDate needs epoch milliseconds.* at 15/,
    ],
    ['9 KiB of filter', { filter: `lower(title) = '${'x'.repeat(9216)}'` }, '', 'too_long', /8192/],
    ['a size too large', {}, '?size=100000', undefined, /size/],
    ['a size of nothing', {}, '?size=0', undefined, /size/],
    ['an offset below 0', {}, '?offset=-1', undefined, /offset/],
    [
      'an unknown sort',
      {},
      '?sort=password',
      'unknown_sort',
      /'password'.*Sortable fields: id, title/,
    ],
    ['an empty sort key', {}, '?sort=title,,id', 'unknown_sort', /''/],
    ['a long keyword', { keyword: 'x'.repeat(256) }, '', undefined, /255/],
    ['an unknown part of the body', { filters: '' }, '', undefined, /filters/],
    ['an unknown part of the query', {}, '?page=1', undefined, /page/],
  ])('refuses %s with the allowed values', async (_, body, query, code, message) => {
    const reply = await search(body, query);
    expect(reply.status).toBe(422);
    expect(reply.body['userMessage']).toMatch(message);
    expect(reply.body['code']).toBe(code ?? reply.body['code']);
  });

  test('returns 400 for a body that is not JSON', async () => {
    expect((await search('{')).status).toBe(400);
  });

  test('returns results or a refusal for any input, never an error', async () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 8 }),
      fc.constantFrom(
        'title',
        'lower(title)',
        'severity',
        'releaseDate',
        'id',
        ' and ',
        '=',
        '!=',
        ' like ',
        ' not in ',
        '(',
        ')',
        ',',
        "'",
        '%',
        '_',
        '\\',
        '1',
        '-9007199254740991',
        'true',
        'is null',
      ),
    );
    const typed = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));
    const quoted = typed.map((text) => `lower(title) like '${text.replaceAll("'", "''")}'`);
    await fc.assert(
      fc.asyncProperty(fc.oneof(typed, quoted), typed, async (filter, keyword) => {
        const { status } = await search({ filter, keyword: keyword.slice(0, 255) });
        expect([200, 422]).toContain(status);
      }),
      { numRuns: 200, seed: 4711 },
    );
  });
});
