import { expect, test } from 'vitest';
import { parseArchitectures } from '../names/windows-product.ts';
import { type Mismatch, matchUpdate } from './update-of-kb.ts';

const titles = [
  '2024-12 Cumulative Update for Microsoft server operating system version 24H2 for x64-based Systems (KB1)',
  '2024-12 Cumulative Update for Microsoft server operating system, version 23H2 for x64-based Systems (KB1)',
  '2024-12 Cumulative Update for Windows 11 Version 24H2 for arm64-based Systems (KB1)',
  '2024-12 Cumulative Update for Windows 11 Version 24H2 for x64-based Systems (KB1)',
  '2024-12 Security Monthly Quality Rollup for Windows Server 2012 for x64-based Systems (KB1)',
  '2024-12 Security Monthly Quality Rollup for Windows Server 2012 R2 for x64-based Systems (KB1)',
  '2024-12 Cumulative Update for .NET Framework 3.5 and 4.8 for Windows 10 Version 1809 for x64 (KB1)',
  '2024-12 Cumulative Update for Windows 10 for x86-based Systems (KB1)',
  'Security Update for Windows 8.1 for x64-based Systems (KB1)',
  'Security Update for Windows 8 for x64-based Systems (KB1)',
  'Security Update for Microsoft Excel 2016 (KB1) 32-Bit Edition',
  'Security Update for Microsoft Excel 2016 (KB1) 64-Bit Edition',
];

function match(productName: string, among: readonly string[]) {
  const product = { productName, architecture: parseArchitectures(productName) };
  return matchUpdate(
    product,
    among.map((title) => ({ title, architecture: parseArchitectures(title) })),
  );
}

const found = (productName: string, among: readonly string[] = titles) =>
  match(productName, among).update?.title ?? null;

test.each([
  ['Windows Server 2025 (Server Core installation)', 0],
  ['Windows Server 2022, 23H2 Edition (Server Core installation)', 1],
  ['Windows 11 Version 24H2 for ARM64-based Systems', 2],
  ['Windows 11 Version 24H2 for x64-based Systems', 3],
  ['Windows Server 2012', 4],
  ['Windows Server 2012 R2 (Server Core installation)', 5],
  ['Microsoft .NET Framework 3.5 AND 4.8 on Windows 10 Version 1809 for x64-based Systems', 6],
  ['Windows 10 for 32-bit Systems', 7],
  ['Windows 8.1 for x64-based systems', 8],
  ['Windows 8 for x64-based Systems', 9],
  ['Microsoft Excel 2016 (32-bit edition)', 10],
  ['Microsoft Excel 2016 (64-bit edition)', 11],
])('finds the update of %s', (product, index) => {
  expect(found(product)).toBe(titles[index]);
});

test.each([
  'Windows 11 Version 23H2 for x64-based Systems',
  'Windows 10 Version 1809 for 32-bit Systems',
  'Windows 10 for x64-based Systems',
  'Windows Server 2022',
  'Windows Server, version 20H2 (Server Core Installation)',
  'Microsoft Word 2016 (64-bit edition)',
])('finds no update of %s', (product) => {
  expect(found(product)).toBeNull();
});

test('finds none when two updates fit', () => {
  expect(found('Windows Server 2012', [...titles, titles[4] ?? ''])).toBeNull();
});

test.each([
  [
    'Microsoft Exchange Server 2016 Cumulative Update 23',
    'Security Update For Exchange Server 2016 CU23 (KB5036386)',
  ],
  [
    'Microsoft SQL Server 2019 for x64-based Systems (GDR)',
    'Security Update for SQL Server 2019  (GDR) (KB5058713)',
  ],
  [
    'Microsoft SQL Server 2022 for x64-based Systems (CU 22)',
    'Security Update for SQL Server 2022  (CU 22) (KB5072936)',
  ],
  [
    'Microsoft Word 2016 (32-bit edition)',
    'Security Update for Microsoft Office 2016 (KB5002702) 32-Bit Edition',
  ],
  [
    'Windows 11 version 21H2 for x64-based Systems',
    '2024-02 Cumulative Update for Windows 11 for x64-based Systems (KB1)',
  ],
  [
    'Windows 10 for 32-bit Systems',
    '2024-02 Cumulative Update for Windows 10 Version 1507 for x86-based Systems (KB1)',
  ],
  [
    'Windows 11 Version 24H2 for x64-based Systems',
    '2025-06 Cumulative Update for Windows 11, version 24H2 for x64-based Systems (KB1)',
  ],
  [
    'Microsoft .NET Framework 3.5 AND 4.8 on Windows 10 Version 22H2 for x64-based Systems',
    '2024-01 Cumulative Update for .NET Framework 3.5, 4.8 and 4.8.1 for Windows 10 Version 22H2 for x64 (KB1)',
  ],
])('matches %s with %s', (product, title) => {
  expect(
    found(product, [title, 'Security Update for Microsoft Excel 2016 (KB1) 64-Bit Edition']),
  ).toBe(title);
});

test('prefers of two fitting updates the one for exactly the architecture', () => {
  const title = '2026-03 Hotpatch for Windows 11 Version 25H2 for x64-based Systems (KB5079420)';
  const mixed =
    '2026-03 Hotpatch for Windows 11 Version 25H2 for ARM systems for x64-based Systems (KB5079420)';
  expect(found('Windows 11 Version 25H2 for x64-based Systems', [mixed, title])).toBe(title);
  expect(found('Windows 11 Version 25H2 for ARM64-based Systems', [mixed, title])).toBe(mixed);
});

test.each<[string, string, Mismatch]>([
  [
    'Windows 10 Version 21H2 for x64-based Systems',
    'Cumulative Update for Windows 10 Version 22H2 for x64-based Systems',
    'offered for another version of Windows only',
  ],
  [
    'Windows 10 Version 22H2 for 32-bit Systems',
    'Cumulative Update for Windows 10 Version 22H2 for x64-based Systems',
    'offered for another architecture only',
  ],
  [
    'Microsoft .NET Framework 3.5 AND 4.7.2 on Windows 10 Version 1809 for x64-based Systems',
    'Cumulative Update for .NET Framework 3.5 and 4.8 for Windows 10 Version 1809 for x64',
    'offered for another version of .NET only',
  ],
  [
    'Windows 10 for 32-bit Systems',
    'Cumulative Update for .NET Framework 3.5 and 4.7.2 for Windows 10 for x86',
    'offered for another product only',
  ],
  [
    'Microsoft Office 2013 Service Pack 1 (64-bit editions)',
    'Security Update for Microsoft Office 2013 RT Service Pack 1 (KB4462205) 64-Bit Edition',
    'offered for another product only',
  ],
])('does not match %s with %s', (product, title, mismatch) => {
  expect(match(product, [title])).toEqual({ update: null, mismatch });
});

test('returns the nearest mismatch, or that several updates fit', () => {
  const product = 'Windows 10 Version 22H2 for 32-bit Systems';
  const near = 'Cumulative Update for Windows 10 Version 22H2 for x64-based Systems';
  expect(match(product, ['Security Update for Microsoft Excel 2016', near]).mismatch).toBe(
    'offered for another architecture only',
  );
  const fitting = 'Cumulative Update for Windows 10 Version 22H2 for x86-based Systems';
  expect(match(product, [near, fitting, fitting]).mismatch).toBe('several updates fit');
  expect(match(product, [])).toEqual({ update: null, mismatch: null });
});
