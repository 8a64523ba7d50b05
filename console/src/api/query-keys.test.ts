import type { QueryKey } from '@tanstack/react-query';
import { QueryClient } from '@tanstack/react-query';
import { expect, expectTypeOf, test } from 'vitest';
import { queryKeys } from './query-keys.ts';

test('rejects query keys that the factory did not make, by their type', () => {
  expectTypeOf(queryKeys.lists.all('ubuntu_patch')).toExtend<QueryKey>();
  expectTypeOf<readonly ['list', 'ubuntu_patch']>().not.toExtend<QueryKey>();
  expectTypeOf<readonly unknown[]>().not.toExtend<QueryKey>();
  // An extended key is not a key of the factory either.
  const extended = [...queryKeys.lists.all('ubuntu_patch'), 'rows'] as const;
  expectTypeOf(extended).not.toExtend<QueryKey>();
});

test('invalidates rows, records and counts with their list, and no other list', async () => {
  const queries = new QueryClient();
  const search = { criteria: '', keyword: '', timeZone: 'UTC' };
  const below = [
    queryKeys.lists.page('floto_user', search, 50, 1),
    queryKeys.lists.record('floto_user', 1),
    queryKeys.lists.sharing('floto_user', 1),
    queryKeys.lists.chain('floto_user', 1, []),
    queryKeys.lists.updateCount('floto_user', search, 1),
    queryKeys.clients.detail(1),
    queryKeys.clients.exposure(1),
  ];
  const beside = [
    queryKeys.lists.record('ubuntu_patch', 1),
    queryKeys.identifiers.records('CVE-1'),
  ];
  for (const queryKey of [...below, ...beside]) queries.setQueryData(queryKey, 'data');
  await queries.invalidateQueries({ queryKey: queryKeys.lists.all('floto_user') });
  const isInvalid = (queryKey: QueryKey) => queries.getQueryState(queryKey)?.isInvalidated;
  expect(below.map(isInvalid)).toEqual(below.map(() => true));
  expect(beside.map(isInvalid)).toEqual(beside.map(() => false));
});

test('makes different keys from the same arguments in each factory', () => {
  const factories: readonly ((...given: never[]) => QueryKey)[] = Object.values(queryKeys).flatMap(
    (group) => Object.values(group),
  );
  const hashes = factories.map((make) =>
    JSON.stringify(Reflect.apply(make, undefined, [1, 2, 3, 4])),
  );
  expect(hashes.length).toBeGreaterThan(30);
  expect(hashes.toSorted()).toEqual([...new Set(hashes)].toSorted());
});
