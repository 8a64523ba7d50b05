/** Limits of searches that come from criteria, which bypass the limits of filter texts. */
import { getList } from '@patch/catalogue/lists.ts';
import { criteriaConditions } from '@patch/contract/filter/criteria-conditions.ts';
import { maxConditions, maxValues } from '@patch/contract/filter/filter-conditions.ts';
import { expect, test } from 'vitest';
import { createSearch } from './search-request.ts';

const list = getList('patch_repository');
const when = { now: 0, timeZone: 'UTC' };
const firstPage = { offset: 0, size: 1 };
const withIds = (count: number) =>
  criteriaConditions(
    list,
    [{ paramName: 'id', operator: 'in', value: Array.from({ length: count }, (_, n) => n) }],
    when,
  );

test('accepts as many values and conditions as a filter text may have', () => {
  const conditions = withIds(maxValues);
  expect(createSearch(list, firstPage, { conditions }).conditions).toBe(conditions);
  const many = Array.from({ length: maxConditions }, () => withIds(1)).flat();
  expect(createSearch(list, firstPage, { conditions: many }).conditions).toHaveLength(
    maxConditions,
  );
});

test('refuses more values or conditions than a filter text may have', () => {
  const tooMany = expect.objectContaining({ code: 'too_many' });
  expect(() => createSearch(list, firstPage, { conditions: withIds(maxValues + 1) })).toThrow(
    tooMany,
  );
  const conditions = Array.from({ length: maxConditions + 1 }, () => withIds(1)).flat();
  expect(() => createSearch(list, firstPage, { conditions })).toThrow(tooMany);
});

test('refuses the character U+0000, which the database cannot store', () => {
  const conditions = criteriaConditions(
    list,
    [{ paramName: 'name', operator: 'contains', value: 'a\0b' }],
    when,
  );
  expect(() => createSearch(list, firstPage, { conditions })).toThrow(
    'A value contains the character U+0000, which is not allowed.',
  );
});
