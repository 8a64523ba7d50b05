import { expect, test } from 'vitest';
import { testsOfEach } from './enumerating-tests.ts';

test('tests with a case for each list or source are found by what they say', () => {
  const found = testsOfEach();
  const known = ['catalogue/feeds.test.ts', 'catalogue/lists.test.ts', 'contract/row-schema.test.ts', 'server/database/drift.test.ts'];
  expect(found).toEqual(expect.arrayContaining(known));
  const onMirror = ['server/sync/faults-on-mirror.test.ts', 'server/sync/upgraded-on-mirror.test.ts'];
  const onFixtures = ['server/sync/faults-by-source.test.ts', 'server/sync/fresh-equals-upgraded.test.ts'];
  expect(found).toEqual(expect.arrayContaining([...onMirror, ...onFixtures]));
  const withoutMirror = testsOfEach({ onFixtures: true });
  expect(withoutMirror).toEqual(expect.arrayContaining(onFixtures));
  expect(withoutMirror.filter((file) => onMirror.includes(file))).toEqual([]);
  // Both name lists, and none for each.
  expect(found).not.toContain('server/clients/exposure.test.ts');
  expect(found).not.toContain('server/config.test.ts');
});
