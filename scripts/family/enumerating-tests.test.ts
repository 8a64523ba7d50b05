import { expect, test } from 'vitest';
import { testsOfEach } from './enumerating-tests.ts';

test('tests with a case for each list or source are found by what they say', () => {
  const found = testsOfEach();
  const known = ['catalogue/feeds.test.ts', 'catalogue/lists.test.ts', 'contract/row-schema.test.ts', 'server/database/drift.test.ts'];
  expect(found).toEqual(expect.arrayContaining(known));
  expect(found).toContain('server/sync/faults-on-mirror.test.ts');
  expect(testsOfEach({ onFixtures: true })).not.toContain('server/sync/faults-on-mirror.test.ts');
  expect(testsOfEach({ onFixtures: true })).toContain('server/sync/faults-by-source.test.ts');
  // Both name lists, and none for each.
  expect(found).not.toContain('server/clients/exposure.test.ts');
  expect(found).not.toContain('server/config.test.ts');
});
