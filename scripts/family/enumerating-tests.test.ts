import { expect, test } from 'vitest';
import { testsOfEach, testsOfRegistries } from './enumerating-tests.ts';

test('tests with a case for each list or source are found by what they say', () => {
  const found = testsOfEach();
  const known = [
    'catalogue/feeds.test.ts',
    'catalogue/lists.test.ts',
    'contract/row-schema.test.ts',
    'server/platform/database/drift.test.ts',
  ];
  expect(found).toEqual(expect.arrayContaining(known));
  const onMirror = [
    'server/ingest/sync/faults-on-mirror.test.ts',
    'server/ingest/sync/upgraded-on-mirror.test.ts',
  ];
  const onFixtures = [
    'server/ingest/sync/faults-by-source.test.ts',
    'server/ingest/sync/fresh-equals-upgraded.test.ts',
  ];
  expect(found).toEqual(expect.arrayContaining([...onMirror, ...onFixtures]));
  const withoutMirror = testsOfEach({ onFixtures: true });
  expect(withoutMirror).toEqual(expect.arrayContaining(onFixtures));
  expect(withoutMirror.filter((file) => onMirror.includes(file))).toEqual([]);
  // Both name lists, and none for each.
  expect(found).not.toContain('server/licensing/clients/exposure.test.ts');
  expect(found).not.toContain('server/platform/config/config.test.ts');
});

test('tests that read a registry and make no test for each entry are found as well', () => {
  const found = testsOfRegistries();
  const known = [
    'console/src/shell/sidebar-entries.test.ts',
    'scripts/family/family-kind.test.ts',
    'server/ingest/sync/sync-routes.test.ts',
  ];
  expect(found).toEqual(expect.arrayContaining(known));
  expect(found.filter((file) => testsOfEach().includes(file))).toEqual([]);
  // The first copies the repository, the second starts processes.
  expect(found).not.toContain('scripts/check-families.test.ts');
  expect(found).not.toContain('server/operations/backup/dump-restore.test.ts');
});
