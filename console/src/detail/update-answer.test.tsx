/** A record beside the whole update that All patches and the dashboard show. */
import { getList } from '@patch/catalogue/lists.ts';
import type { WireDetail } from '@patch/contract/base/row-schema.ts';
import { searchEndpoint } from '@patch/contract/records/search-endpoint.ts';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { reply, sentTo } from '../testing/fake-api.ts';
import { renderInApp } from '../testing/render-in-app.tsx';
import { UpdateAnswer } from './record-card.tsx';
import { UpdateRecords } from './update-records.tsx';

const kbs = getList('patch_repository');
const allPatches = getList('all_patches');
const record = { id: 1, kbId: 'KB5000871', cve: ['CVE-2021-1'] } as unknown as WireDetail;
const cves = ['CVE-2021-1', 'CVE-2021-2', 'CVE-2021-3'];
const products = [
  { id: 1, kbId: 'KB5000871', productName: 'Exchange CU8', cvss: 7.8, cve: cves.slice(0, 1) },
  { id: 2, kbId: 'KB5000871', productName: 'Exchange CU9', cvss: 9.1, cve: cves.slice(1) },
];

const show = (list: string, rows: readonly object[]) =>
  renderInApp(
    <>
      <UpdateAnswer list={kbs} record={record} />
      <UpdateRecords list={kbs} record={record} Heading="h2" />
    </>,
    {
      replies: [
        reply(searchEndpoint(allPatches), {
          objList: [{ id: 9, list, identifier: 'KB5000871', cvss: 9.1, cve: cves }],
          totalCount: 1,
        }),
        reply(searchEndpoint(kbs), { objList: rows as never, totalCount: rows.length }),
      ],
    },
  );

test('says the risk of the whole update, and of each product', async () => {
  await show('patch_repository', products);
  expect((await screen.findByText('Whole update')).closest('div')?.textContent).toBe(
    'Whole updateHighest CVSS 9.1, 3 CVEs over 2 records',
  );
  const table = within(screen.getByRole('region', { name: 'Risk by product' }));
  const rows = table.getAllByRole('row').map((row) => row.textContent);
  expect(rows[1]).toMatch(/^Exchange CU8.*7\.8.*1.*CVE-2021-1/);
  expect(rows[2]).toMatch(/^Exchange CU9.*9\.1.*2.*CVE-2021-2/);
  expect(sentTo(searchEndpoint(kbs)).map(({ body }) => body)).toEqual([
    { filter: "lower(kbId) = 'kb5000871'" },
  ]);
});

test.each([
  [{ severity: 'Low', superseded: true }, 'Critical and Current for another product, '],
  [{ severity: 'Critical', superseded: true }, 'Current for another product, '],
  [{ severity: 'Important', superseded: false }, 'Critical for another product, '],
  [{ severity: 'Critical', superseded: false }, ''],
])('says what another product has beside %j', async (own, words) => {
  const whole = { severity: 'Critical', vendorSeverity: 'Critical', superseded: false };
  await renderInApp(<UpdateAnswer list={kbs} record={{ ...record, ...own } as WireDetail} />, {
    replies: [
      reply(searchEndpoint(allPatches), {
        objList: [{ id: 9, list: 'patch_repository', identifier: 'KB5000871', ...whole }],
        totalCount: 1,
      }),
      reply(searchEndpoint(kbs), { objList: products as never, totalCount: 2 }),
    ],
  });
  expect((await screen.findByText('Whole update')).closest('div')?.textContent).toBe(
    `Whole update${words}0 CVEs over 2 records`,
  );
});

test('tells records apart by their titles, and counts no CVEs of a list without them', async () => {
  const patches = getList('patch');
  const rows = ['x64', 'arm64'].map((title, id) => ({ id, kbId: 'KB5000871', title }));
  await renderInApp(<UpdateRecords list={patches} record={record} Heading="h2" />, {
    replies: [
      reply(searchEndpoint(allPatches), {
        objList: [{ id: 9, list: 'patch_repository', identifier: 'KB5000871', cve: cves }],
        totalCount: 1,
      }),
      reply(searchEndpoint(patches), { objList: rows as never, totalCount: rows.length }),
    ],
  });
  const heads = await screen.findAllByRole('columnheader');
  expect(heads.map((head) => head.textContent)).toEqual(['Title']);
  expect(screen.getAllByRole('row').map((row) => row.textContent)).toEqual([
    'Title',
    'x64',
    'arm64',
  ]);
});

test.each([
  ['an update of one record', 'patch_repository', products.slice(0, 1)],
  ['an update of another source', 'debian_patch', products],
])('says nothing of %s', async (_, list, rows) => {
  await show(list, rows);
  await expect.poll(() => sentTo(searchEndpoint(allPatches)).length).toBe(1);
  expect(screen.queryByText('Whole update')).toBeNull();
});
