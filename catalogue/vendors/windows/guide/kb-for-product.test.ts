import { expect, test } from 'vitest';
import { createGuideMonth, type GuideMonth } from '../testing/guide-month.ts';
import { listKbsForProducts } from './kb-for-product.ts';
import { MsrcFixes } from './msrc-fixes.ts';

async function readRows(...months: GuideMonth[]) {
  const fixes = new MsrcFixes();
  for (const month of months) await fixes.read(createGuideMonth(month));
  return [...listKbsForProducts(fixes)].flatMap((row) => (row.kind === 'rejection' ? [] : [row]));
}

async function readKeys(kb: string, ...months: GuideMonth[]): Promise<string[]> {
  return (await readRows(...months)).flatMap((row) => (row.kb === kb ? [row.product.id] : []));
}

const sharePoint: GuideMonth = {
  id: '2016-Apr',
  products: { 999017: 'Microsoft SharePoint Server 2016' },
  fixes: [{ kb: 'KB3141486', products: ['999017'] }],
};
const laterSharePoint: GuideMonth = {
  id: '2017-Jan',
  products: { 10950: 'Microsoft SharePoint Server 2016' },
  fixes: [{ kb: 'KB3141487', products: ['10950'] }],
};

test('merges two products of one name into one row of a KB, under the lower id', async () => {
  const both: GuideMonth = {
    id: '2016-Apr',
    products: {
      999017: 'Microsoft SharePoint Server 2016',
      10950: 'Microsoft SharePoint Server 2016',
    },
    fixes: [{ kb: 'KB3141486', products: ['999017', '10950'] }],
  };
  expect(await readRows(both)).toMatchObject([
    { kb: 'KB3141486', product: { id: '10950' }, formerIds: ['999017'] },
  ]);
});

test('keeps a key when other documents rename a product, and knows the key of an earlier version', async () => {
  expect(await readKeys('KB3141486', sharePoint)).toEqual(['999017']);
  expect(await readKeys('KB3141486', sharePoint, laterSharePoint)).toEqual(['999017']);
  expect(await readRows(sharePoint, laterSharePoint)).toMatchObject([
    { product: { id: '999017' }, formerIds: ['10950'] },
    {},
  ]);
});

test('keeps the key of a renamed product and shows its newest name', async () => {
  const before: GuideMonth = {
    id: '2024-Jan',
    date: '2024-01-09T08:00:00Z',
    products: {
      11926: 'Windows 11 for x64-based Systems',
      11927: 'Windows 11 for ARM64-based Systems',
    },
    fixes: [{ kb: 'KB5034121', products: ['11926', '11927'] }],
  };
  const after: GuideMonth = {
    id: '2024-Feb',
    date: '2024-02-13T08:00:00Z',
    products: {
      11926: 'Windows 11 version 21H2 for x64-based Systems',
      11927: 'Windows 11 version 21H2 for x64-based Systems',
    },
    fixes: [{ kb: 'KB5034766', products: ['11926'] }],
  };
  const rows = (await readRows(before, after)).filter(({ kb }) => kb === 'KB5034121');
  expect(rows.map(({ product }) => product.id)).toEqual(['11926', '11927']);
  expect(rows[0]?.product.name).toBe('Windows 11 version 21H2 for x64-based Systems');
});

test('counts a browser inside a system for the system, by the documents that name the KB', async () => {
  const month: GuideMonth = {
    id: '2024-Jan',
    products: {
      12097: 'Windows 10 Version 22H2',
      '10486-12098': 'Internet Explorer 11 on Windows 10 Version 22H2 for ARM64',
    },
    fixes: [{ kb: 'KB5034122', products: ['12097', '10486-12098'] }],
  };
  const other: GuideMonth = {
    id: '2024-Feb',
    products: { 12098: 'Surface Hub' },
    fixes: [{ kb: 'KB5034763', products: ['12098'] }],
  };
  expect(await readKeys('KB5034122', month)).toEqual(['12097', '12098']);
  expect(await readRows(month)).toMatchObject([
    {},
    { parts: new Set(['Internet Explorer 11']), formerIds: ['10486-12098'] },
  ]);
  const described = {
    ...month,
    products: { ...month.products, 12098: 'Windows 10 Version 22H2 for ARM64' },
  };
  expect(await readKeys('KB5034122', described, other)).toEqual(['12097', '12098']);
});

test('reads all CVEs and advisories of a vulnerability in capitals', async () => {
  const [fix = sharePoint.fixes[0]] = sharePoint.fixes;
  const read = (cve: string) =>
    readRows({ ...sharePoint, fixes: [{ ...fix, kb: 'KB3141486', products: ['999017'], cve }] });
  const [row] = await read('cve-2024-20675; CVE-2024-20676 adv240001');
  expect([...(row?.ratings.keys() ?? [])]).toEqual([
    'CVE-2024-20675',
    'CVE-2024-20676',
    'ADV240001',
  ]);
  expect((await read('CVE-2024-2'))[0]?.ratings.size).toBe(0);
});
