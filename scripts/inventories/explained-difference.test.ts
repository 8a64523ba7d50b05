/** What explains a difference between a tool of the field and an assessment, and that nothing else does. */
import type { Assessment } from '@patch/contract/assessment-endpoint.ts';
import { expect, test } from 'vitest';
import { packageDifferences, updateDifferences } from './explained-difference.ts';
import type { ToolAnswer, ToolRow } from './real-tool.ts';

const toolWith = (records: Readonly<Record<string, ToolRow[]>>): ToolAnswer => ({
  tool: 'a tool',
  advisories: 9,
  product: 'Windows Server 2022',
  records: new Map(Object.entries(records)),
});

const answerWith = (
  missing: readonly { identifier: string; state?: string; evidence?: object[] }[],
  install: readonly string[] = [],
) =>
  ({
    missing: missing.map((one) => ({ state: 'missing', evidence: [], ...one })),
    install: install.map((identifier) => ({ identifier })),
  }) as unknown as Assessment;

const nothing = answerWith([]);

test.each<[string, ToolRow, string | null]>([
  ['a build for ksplice', ['glibc', 'x86_64', '2.28-251.el8', '2:2.28-72.ksplice1.el8'], 'point 2'],
  ['a FIPS build', ['gnutls', 'x86_64', '3.6.16-8.el8', '10:3.6.16-4.el8_fips'], 'point 2'],
  ['a modular fix', ['perl', 'x86_64', '5.26-1.el8', '5.32-2.module_el8.6.0+1'], 'point 3'],
  ['an older kernel', ['kernel', 'x86_64', '4.18.0-477.el8', '4.18.0-500.el8'], 'point 6'],
  ['kernels that are all older', ['kernel', 'x86_64', '4.18.0-477.el8', '4.18.0-999.el8'], null],
  ['a plain package', ['bash', 'x86_64', '4.4-1.el8', '4.4-2.el8'], null],
])('explains what only the tool reports: %s', (_, row, point) => {
  const kernels = new Map([['kernel', ['4.18.0-477.el8', '4.18.0-513.el8']]]);
  const [difference] = packageDifferences(toolWith({ A: [row] }), nothing, new Map(), kernels);
  expect(difference?.point?.split(':')[0] ?? null).toBe(point);
});

test('a record with one unexplained package is unexplained', () => {
  const rows: ToolRow[] = [
    ['glibc', '', '1-1.el8', '2:1-1.ksplice1.el8'],
    ['bash', '', '1-1.el8', '1-2.el8'],
  ];
  const found = packageDifferences(toolWith({ A: rows }), nothing, new Map(), new Map());
  expect(found).toMatchObject([{ record: 'A', point: null }]);
});

test('records that both name are no difference, under the names that the tool knows', () => {
  const tool = toolWith({ 'openSUSE-2023-216': [['perl', '', '1', '2']] });
  const answer = answerWith([{ identifier: 'openSUSE-SU-2023:0216-1' }]);
  const aliases = new Map([['openSUSE-SU-2023:0216-1', 'openSUSE-2023-216']]);
  expect(packageDifferences(tool, answer, aliases, new Map())).toEqual([]);
});

test.each([
  ['linux-image-5.10.0-8-amd64', 'point 7: kernels under new names'],
  ['bash', null],
])('explains what only the assessment reports by %s', (name, point) => {
  const answer = answerWith([
    { identifier: 'DSA-1', evidence: [{ name, installed: '1', fixed: '2' }] },
  ]);
  const [difference] = packageDifferences(toolWith({}), answer, new Map(), new Map());
  expect(difference).toMatchObject({ heldBy: 'assessment', point });
});

test.each<[string, ToolRow, string | null]>([
  ['.NET', ['Microsoft .NET Framework 4.8 on Windows Server 2022', '', '', ''], 'point 11'],
  ['a hotpatch', ['Windows Server 2022', 'Security Hotpatch Update', '', ''], 'point 11'],
  ['another edition', ['Windows Server 2022, 23H2 Edition', '', '', ''], 'point 10'],
  ['an update of the product', ['Windows Server 2022', 'Security Update', '', ''], null],
])("explains what only WES-NG's rule reports: %s", (_, row, point) => {
  const [difference] = updateDifferences(toolWith({ KB1: [row] }), nothing, () => null);
  expect(difference?.point?.split(':')[0] ?? null).toBe(point);
});

test('a missing update that a newer one holds is not to install', () => {
  const row: ToolRow = ['Windows Server 2022', 'Security Update', '', ''];
  const tool = toolWith({ KB1: [row], KB2: [row] });
  const answer = answerWith([{ identifier: 'KB1' }, { identifier: 'KB2' }], ['KB2']);
  const found = updateDifferences(tool, answer, () => null);
  expect(found).toMatchObject([{ record: 'KB1', point: 'point 15: the smallest set' }]);
});

test('an update to install that the tool does not report is unexplained', () => {
  const found = updateDifferences(toolWith({}), answerWith([], ['KB2']), () => null);
  expect(found).toMatchObject([{ record: 'KB2', heldBy: 'assessment', point: null }]);
});
