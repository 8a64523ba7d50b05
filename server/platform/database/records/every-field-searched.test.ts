/** The views and tables of the lists support every search that their definitions allow. */
import { randomBytes } from 'node:crypto';
import { operatorsOfKind } from '@patch/catalogue/definition/field-kinds.ts';
import { getField } from '@patch/catalogue/definition/list-definition.ts';
import type { Operator } from '@patch/catalogue/definition/operators.ts';
import { isSortable } from '@patch/catalogue/definition/restricted-fields.ts';
import { catalogueLists } from '@patch/catalogue/lists.ts';
import { filterText } from '@patch/contract/filter/filter-text.ts';
import { beforeAll, expect, test } from 'vitest';
import { missingCriteria } from '../../../fleet/missing/missing-criteria.ts';
import { clientCriteria } from '../../../licensing/clients/client-criteria-store.ts';
import { readSearch } from '../../../records/criteria/search-request.ts';
import { SearchStore } from '../../../records/search/search-store.ts';
import { describeWithDatabase } from '../../../testing/databases.ts';
import { secretBox } from '../../secrets/secret-box.ts';
import type { Database } from '../database.ts';

describeWithDatabase('the tables and views of the lists', (open) => {
  let database: Database;
  beforeAll(async () => {
    database = await open();
  });

  test.each(catalogueLists.map((list) => [list.key, list] as const))(
    'support every operator of every searchable field: %s',
    async (_, list) => {
      const evaluators = new Map([
        ...missingCriteria(database),
        ...clientCriteria(database, secretBox(randomBytes(32))),
      ]);
      const store = new SearchStore(database, { evaluators });
      for (const paramName of list.searchable) {
        const { kind } = getField(list, paramName);
        for (const operator of operatorsOfKind[kind] as readonly Operator[]) {
          const element =
            kind === 'flag'
              ? true
              : ['number', 'decimal', 'size', 'date'].includes(kind)
                ? 1
                : 'abc';
          const value =
            operator === 'in' || operator === 'not_in' ? [element as string | number] : element;
          const bare = operator === 'is_null' || operator === 'is_not_null';
          const criterion = {
            paramName,
            operator,
            ...(bare ? {} : { value }),
            ...(operator === 'between' ? { toValue: 2 } : {}),
          };
          const filter = filterText(list, [criterion], { now: 0, timeZone: 'UTC' });
          expect(filter).not.toBe('');
          const found = await store.find(
            readSearch(
              list,
              { offset: 0, size: 25 },
              { filter },
              { restricted: true, groups: null },
            ),
          );
          expect({ filter, ...found }).toEqual({ filter, rows: '', total: 0 });
        }
      }
    },
  );

  test.each(catalogueLists.map((list) => [list.key, list] as const))(
    'support sorting by every field and a keyword: %s',
    async (_, list) => {
      const store = new SearchStore(database);
      const sortable = Object.keys(list.fields).filter((name) => isSortable(list, name));
      for (const field of ['id', ...sortable]) {
        for (const sort of [field, `-${field}`]) {
          const search = readSearch(list, { offset: 0, size: 25, sort }, null, {
            restricted: true,
            groups: null,
          });
          expect({ sort, ...(await store.find(search)) }).toEqual({ sort, rows: '', total: 0 });
        }
      }
      expect(
        await store.find(readSearch(list, { offset: 0, size: 25 }, { keyword: 'KB5034441' })),
      ).toEqual({ rows: '', total: 0 });
    },
  );
});
