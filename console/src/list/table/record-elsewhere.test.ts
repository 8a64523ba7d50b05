import { getList } from '@patch/catalogue/lists.ts';
import { expect, test } from 'vitest';
import { findRecordElsewhere } from './record-elsewhere.ts';

test('returns the record in its own list for a row of all patches', () => {
  const all = getList('all_patches');
  const row = { id: 1, list: 'almalinux_patch', recordId: 12 };
  expect(findRecordElsewhere(all, row)).toBe('/patch-repository/almalinux-patch/record/12');
  expect(findRecordElsewhere(all, { id: 1, list: 'patch_repository', recordId: 3 })).toBe(
    '/patch-repository/record/3',
  );
  expect(
    findRecordElsewhere(all, { id: 1, list: 'a list of a later version', recordId: 3 }),
  ).toBeNull();
});

test('returns the page of the CVE for a row of the vulnerabilities', () => {
  expect(findRecordElsewhere(getList('vulnerabilities'), { id: 4, cve: 'CVE-2024-3094' })).toBe(
    '/patch-repository/identifier/CVE-2024-3094',
  );
});

test('returns null for rows of other lists', () => {
  expect(findRecordElsewhere(getList('almalinux_patch'), { id: 4, recordId: 9 })).toBeNull();
});
