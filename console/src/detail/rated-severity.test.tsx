import { getList } from '@patch/catalogue/lists.ts';
import type { WireDetail } from '@patch/contract/base/row-schema.ts';
import { detailEndpoint } from '@patch/contract/records/detail-endpoint.ts';
import { searchEndpoint } from '@patch/contract/records/search-endpoint.ts';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { reply, sentTo } from '../testing/fake-api.ts';
import { renderInApp } from '../testing/render-in-app.tsx';
import { RatedSeverity } from './rated-severity.tsx';
import { RecordIdentity } from './record-identity.tsx';

const allPatches = getList('all_patches');
const vulnerabilities = getList('vulnerabilities');
const record = { id: 7, cve: ['CVE-2021-1001', 'CVE-2021-1002'] } as unknown as WireDetail;
const rows = [
  { id: 1, cve: 'CVE-2021-1001', severity: 'Moderate', cvss: 5, cvssSource: 'NVD' },
  { id: 2, cve: 'CVE-2021-1002', severity: 'Important', cvss: 8.1, cvssSource: 'NVD' },
];

const storedTimes = { firstSeenTime: 1, changedTime: 1, withdrawnTime: null };

const show = (severity: string, ratedSeverity: string, shown: WireDetail = record) =>
  renderInApp(
    <div data-testid="rating">
      <RatedSeverity list={getList('macos_patch')} record={shown} />
    </div>,
    {
      replies: [
        reply(detailEndpoint(allPatches), {
          ...storedTimes,
          id: 7,
          severity,
          ratedSeverity,
        }),
        reply(searchEndpoint(vulnerabilities), { objList: rows as never, totalCount: 2 }),
      ],
    },
  );

test('names the CVE and the source of the score when the vendor states no severity', async () => {
  await show('Unspecified', 'Important');
  await screen.findByText('by CVSS 8.1 of CVE-2021-1002 (NVD); the vendor states none');
  expect(screen.getByTestId('rating').textContent).toMatch(/^Important/);
});

test('comes before the severity that the vendor does not specify', async () => {
  const shown = { ...record, bulletinId: 'ALSA-2024:1', severity: 'Unspecified' };
  await renderInApp(
    <RecordIdentity
      list={getList('almalinux_patch')}
      record={shown as unknown as WireDetail}
      heading={{ Tag: 'h1' }}
    />,
    {
      replies: [
        reply(detailEndpoint(allPatches), {
          ...storedTimes,
          id: 7,
          severity: 'Unspecified',
          ratedSeverity: 'Important',
        }),
        reply(searchEndpoint(vulnerabilities), { objList: rows as never, totalCount: 2 }),
      ],
    },
  );
  const rating = await screen.findByText(/^by CVSS 8\.1/);
  const stated = screen.getByText('Unspecified');
  expect(rating.compareDocumentPosition(stated)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
});

test('says nothing when the vendor states the severity', async () => {
  await show('Low', 'Low');
  await expect.poll(() => sentTo(detailEndpoint(allPatches)).length).toBe(1);
  expect(screen.getByTestId('rating').textContent).toBe('');
});

test('asks nothing about a record without CVEs', async () => {
  await show('Unspecified', 'Unspecified', { id: 7 } as unknown as WireDetail);
  expect(sentTo(detailEndpoint(allPatches))).toEqual([]);
});
