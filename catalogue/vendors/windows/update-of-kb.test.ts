import { expect, test } from 'vitest';
import { updateOfKb } from './update-of-kb.ts';
import { architecturesOf } from './windows-product.ts';

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

function found(productName: string, among: readonly string[] = titles): string | null {
  const product = { productName, architecture: architecturesOf(productName) };
  return updateOfKb(product, among, (title) => ({ title, architecture: architecturesOf(title) }));
}

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
])('%s', (product, place) => {
  expect(found(product)).toBe(titles[place]);
});

test.each([
  'Windows 11 Version 23H2 for x64-based Systems',
  'Windows 10 Version 1809 for 32-bit Systems',
  'Windows 10 for x64-based Systems',
  'Windows Server 2022',
  'Windows Server, version 20H2 (Server Core Installation)',
  'Microsoft Word 2016 (64-bit edition)',
])('%s is not among them', (product) => {
  expect(found(product)).toBeNull();
});

test('of two that fit, none', () => {
  expect(found('Windows Server 2012', [...titles, titles[4] ?? ''])).toBeNull();
});
