/** Conditions on activation codes find what the same conditions on an unsealed field of the same values find. */
import { randomBytes } from 'node:crypto';
import { fold } from '@patch/catalogue/definition/fold.ts';
import { getList } from '@patch/catalogue/lists.ts';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import type { Database } from '../../platform/database/database.ts';
import { secretBox } from '../../platform/secrets/secret-box.ts';
import { readSearch } from '../../records/criteria/search-request.ts';
import { matchesLike } from '../../records/criteria/text-pattern.ts';
import { restrictedSearch } from '../../records/search/search-service.ts';
import { SearchStore } from '../../records/search/search-store.ts';
import { writeClientRows } from '../../testing/client-rows.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { clientCriteria } from './client-criteria-store.ts';

const clients = getList('floto_user');
const box = secretBox(randomBytes(32));

const codes = [
  'AB',
  'ab',
  'aB-1',
  'B%',
  'b_',
  'B\\',
  'Ä',
  'ä-b',
  'ß',
  'SS',
  'İ',
  '0',
  '0a',
  '-',
  ' b ',
  "b'c",
  '𝔘',
  '\uffff',
  'a\u0301',
  'á',
  'AAAAA-BBBBB',
  'AAAAA-BBBBC',
  'BBBBB-AAAAA',
  'ab',
  'AB',
  null,
  null,
];

describeWithDatabase('criteria on activation codes', (open) => {
  let database: Database;
  const createSearch = () =>
    restrictedSearch({
      store: new SearchStore(database, { evaluators: clientCriteria(database, box) }),
      box,
    });
  beforeAll(async () => {
    database = await open();
    const rows = codes.map((code, index) => ({
      clientName: code,
      activationCode: code === null ? null : box.seal(code),
      licenseType: ['trial', 'perpetual', null][index % 3] ?? null,
      licenseExpiry: index % 4 === 0 ? null : 1_000 * (index % 5),
    }));
    await writeClientRows(database, rows);
  });

  async function findIds(
    field: string,
    request: { filter: string; sort: string; keyword: string; offset: number; size: number },
  ) {
    const { filter, sort, keyword, offset, size } = request;
    const withField = filter.replaceAll('FIELD', field);
    const search = readSearch(
      clients,
      { offset, size, sort },
      { filter: withField, keyword },
      { restricted: true, groups: null },
    );
    const { rows, total } = await createSearch().find(search);
    return { ids: (JSON.parse(`[${rows}]`) as { id: number }[]).map(({ id }) => id), total };
  }

  const quoted = (text: string) => `'${fold(text).replaceAll("'", "''")}'`;
  const value = fc.constantFrom(...codes.filter((code) => code !== null), 'zzz', '');
  const part = fc.oneof(
    fc.constantFrom('%', '_', '%%', '\\%', '\\_', '\\\\', 'a', 'b', '-', 'B', '\\', 'ä'),
    value.map((text) => text.replaceAll(/[\\%_]/g, '\\$&')),
  );
  const condition = fc.oneof(
    fc
      .tuple(fc.constantFrom('=', '!='), value)
      .map(([sign, text]) => `lower(FIELD) ${sign} ${quoted(text)}`),
    fc
      .tuple(fc.constantFrom('like', 'not like'), fc.array(part, { minLength: 1, maxLength: 5 }))
      .map(([like, parts]) => `lower(FIELD) ${like} ${quoted(parts.join(''))}`),
    fc
      .tuple(fc.constantFrom('in', 'not in'), fc.array(value, { minLength: 1, maxLength: 4 }))
      .map(([sign, values]) => `lower(FIELD) ${sign} (${values.map(quoted).join(', ')})`),
    fc.constantFrom(
      'FIELD is null',
      'FIELD is not null',
      "lower(licenseType) = 'trial'",
      'licenseExpiry > 1000',
    ),
  );
  const filter = fc
    .array(condition, { maxLength: 3 })
    .map((conditions) => conditions.join(' and '));
  const sort = fc.constantFrom('clientName', '-clientName,id', 'licenseType,-licenseExpiry', '-id');
  const keyword = fc.constantFrom('', '', 'a', 'trial', 'a trial', '"a trial"');
  const requests = fc.record({
    filter,
    sort,
    keyword,
    offset: fc.constantFrom(0, 0, 3),
    size: fc.constantFrom(1000, 5),
  });

  test('find the same rows as conditions on an unsealed field of the same values', async () => {
    await fc.assert(
      fc.asyncProperty(requests, async (each) => {
        expect(await findIds('activationCode', each)).toEqual(await findIds('clientName', each));
      }),
      { numRuns: 200, seed: 194 },
    );
  });

  test('are opened on every page of an export', async () => {
    const rows = createSearch();
    const values = async (seesRestricted: boolean) => {
      const search = readSearch(clients, { offset: 0, size: 1, sort: 'id' }, null, {
        restricted: seesRestricted,
        groups: null,
      });
      const found: unknown[] = [];
      for await (const page of rows.pages(search))
        found.push(...page.map((row) => row['activationCode']));
      return found;
    };
    expect(await values(true)).toEqual(codes);
    expect(new Set(await values(false))).toEqual(new Set(['•••']));
  });
});

test('matches a pattern of many wildcards without trying every division of the text', () => {
  // Trying them all would take longer than the time of a test.
  expect(matchesLike(`${'%a'.repeat(60)}%x`, 'a'.repeat(90))).toBe(false);
});
