import { getList } from '@patch/catalogue/lists.ts';
import { expect, test } from 'vitest';
import { createShownTitle, shortenTitle } from './short-title.ts';

const nothing = { severity: false, month: false, values: [] };

test.each([
  [
    '2026-06 Security Update for Windows 10 Version 1809 for x64-based Systems (KB5094123)',
    { month: true, values: ['KB5094123'] },
    'Windows 10 Version 1809 for x64-based Systems',
  ],
  [
    '2026-06 Security Update for Windows Server 2019 (KB5094123)',
    { values: ['KB5000000'] },
    '2026-06 Windows Server 2019 (KB5094123)',
  ],
  [
    '2026-05 Cumulative Update for Windows 11 (KB5094126)',
    { month: true, values: ['KB5094126'] },
    'Cumulative Update for Windows 11',
  ],
  [
    'Microsoft Edge (Chromium-based) Remote Code Execution Vulnerability',
    {},
    'Microsoft Edge (Chromium-based) Remote Code Execution',
  ],
  ['Important: kernel security update', { severity: true }, 'kernel security update'],
])('shortens %j', (title, elsewhere, short) => {
  expect(shortenTitle(title, { ...nothing, ...elsewhere })).toBe(short);
});

test.each([
  'Important: kernel security update',
  'Vulnerability in the parser of fonts',
  '2026-06 Preview of .NET Framework 4.8.1',
  'USN-6000-1: OpenSSL vulnerabilities',
])('shows all of %j', (title) => {
  expect(shortenTitle(title, nothing)).toBeUndefined();
});

test('omits the month in the order of dates alone', () => {
  const list = getList('patch_repository');
  const row = {
    id: 1,
    name: '2026-06 Security Update for Windows Server 2019 (KB5094123)',
    kbId: 'KB5094123',
  };
  const columns = ['releaseDate', 'name', 'kbId'];
  expect(createShownTitle(list, columns, '-releaseDate')(row)).toBe('Windows Server 2019');
  expect(createShownTitle(list, columns, 'name')(row)).toBe('2026-06 Windows Server 2019');
  expect(createShownTitle(list, ['name', 'kbId'], '-releaseDate')(row)).toBe(
    '2026-06 Windows Server 2019',
  );
});
