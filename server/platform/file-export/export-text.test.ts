/** Dates and pages in exported files. */

import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { machineList } from '@patch/catalogue/fleet/machine-list.ts';
import { vulnerabilityList } from '@patch/catalogue/risk/vulnerability-list.ts';
import type { WireRow } from '@patch/contract/base/row-schema.ts';
import type { ExportFormat } from '@patch/contract/records/export-endpoints.ts';
import { expect, it } from 'vitest';
import { exportText } from './export-text.ts';

async function readText(
  format: ExportFormat,
  list: ListDefinition,
  columns: readonly string[],
  ...rows: readonly WireRow[]
): Promise<string> {
  async function* pages() {
    for (const row of rows) yield [row];
  }
  const pieces = await Array.fromAsync(exportText(format, list, columns, pages()));
  return pieces.join('');
}

const october = Date.UTC(2024, 9, 1);

it('writes a day without a time and an instant with its time in UTC', async () => {
  const due = { id: 1, cve: 'CVE-2024-1', dueDate: october };
  expect(await readText('csv', vulnerabilityList, ['cve', 'dueDate'], due)).toBe(
    '\uFEFFCVE,Due\r\nCVE-2024-1,2024-10-01\r\n',
  );
  expect(JSON.parse(await readText('json', vulnerabilityList, ['dueDate'], due))).toEqual([
    { dueDate: '2024-10-01' },
  ]);
  const machine = { id: 1, endOfLife: october, lastSeen: october + 1000 };
  expect(
    JSON.parse(await readText('json', machineList, ['endOfLife', 'lastSeen'], machine)),
  ).toEqual([{ endOfLife: '2024-10-01', lastSeen: '2024-10-01T00:00:01.000Z' }]);
});

it('writes a negative number as a number, and the day of a CVE that NVD published with a time', async () => {
  const row = { id: 1, cve: 'CVE-2024-1', epss: -0.5, published: october + 84_600_000 };
  expect(await readText('csv', vulnerabilityList, ['cve', 'epss', 'published'], row)).toBe(
    '\uFEFFCVE,EPSS,Published\r\nCVE-2024-1,-0.5,2024-10-01\r\n',
  );
});

it('writes one array of rows from several pages, and an empty one without pages', async () => {
  const rows = ['=1+1', 'two', 'three'].map((title) => ({ title, vendors: ['Debian', 'Ubuntu'] }));
  const columns = ['title', 'vendors'];
  const text = await readText(
    'json',
    vulnerabilityList,
    columns,
    ...rows.map((row) => ({ id: 1, ...row })),
  );
  expect(JSON.parse(text)).toEqual(rows);
  expect(JSON.parse(await readText('json', vulnerabilityList, ['cve']))).toEqual([]);
  expect(await readText('csv', vulnerabilityList, ['cve'])).toBe('\uFEFFCVE\r\n');
});
