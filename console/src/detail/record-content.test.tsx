import { getList } from '@patch/catalogue/lists.ts';
import { specified } from '@patch/catalogue/testing/specified.ts';
import type { WireDetail } from '@patch/contract/base/row-schema.ts';
import { detailEndpoint } from '@patch/contract/records/detail-endpoint.ts';
import { searchEndpoint } from '@patch/contract/records/search-endpoint.ts';
import { sharingRecordsEndpoint } from '@patch/contract/records/shared-identifier-endpoints.ts';
import { sourcesEndpoint } from '@patch/contract/sources/sync-endpoints.ts';
import { act, screen, waitFor, within } from '@testing-library/react';
import type { HttpHandler } from 'msw/http';
import { describe, expect, test } from 'vitest';
import { refuse, reply, sentCalls } from '../testing/fake-api.ts';
import { pasteInto, person } from '../testing/person.ts';
import { renderInApp } from '../testing/render-in-app.tsx';
import { RecordCard } from './record-card.tsx';
import { RecordContent } from './record-content.tsx';
import { readIdentity } from './record-identity.tsx';
import { RecordPage } from './record-page.tsx';

const alma = getList('almalinux_patch');
const packages = Array.from({ length: 412 }, (_, index) => ({
  name: `package-${index}`,
  version: `1.${index}`,
  architecture: 'x86_64',
}));
const record = {
  id: 7,
  bulletinId: 'ALSA-2024:1691',
  title: 'Important: <b>openssl</b> security update',
  severity: 'Important',
  releaseDate: Date.UTC(2024, 3, 8),
  cve: ['CVE-2024-1001', 'CVE-2024-1002', 'not yet numbered'],
  referenceLink: 'https://errata.almalinux.org/9/ALSA-2024-1691.html',
  packages,
  firstSeenTime: Date.UTC(2024, 3, 9),
  changedTime: Date.UTC(2024, 3, 10),
  withdrawnTime: null,
} as unknown as WireDetail;

const shared = (id: number, identity: string, shares: string[]) => ({
  id,
  identity,
  title: `About ${identity}`,
  severity: 'Critical',
  releaseDate: Date.UTC(2024, 1, 2),
  own: false,
  shares,
});
const noRisks = reply(searchEndpoint(getList('vulnerabilities')), { objList: [], totalCount: 0 });
const noSources = reply(sourcesEndpoint, { objList: [], totalCount: 0 });
const noSharing = { identifiers: ['CVE-2024-1001'], lists: [] };

const show = async (
  shown: WireDetail,
  sharing: HttpHandler = reply(sharingRecordsEndpoint, noSharing),
) => {
  const rendered = await renderInApp(
    <>
      <RecordCard list={alma} record={shown} heading={{ Tag: 'h2' }} />
      <RecordContent list={alma} record={shown} tableHeading="h3" />
    </>,
    { replies: [sharing, noRisks, noSources] },
  );
  await screen.findByRole('heading', { level: 2 });
  return rendered;
};

test('shows identity, all facts, and one line with the missing ones', async () => {
  await show(record);
  expect(screen.getByRole('heading', { name: 'ALSA-2024:1691' })).toBeTruthy();
  expect(screen.getByText('Important: <b>openssl</b> security update')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Open at the vendor' }).getAttribute('href')).toContain(
    'errata.almalinux.org',
  );
  expect((await screen.findByRole('link', { name: 'CVE-2024-1001' })).getAttribute('href')).toBe(
    '/patch-repository/identifier/CVE-2024-1001',
  );
  const atVendor = screen.getByRole('link', { name: 'CVE-2024-1001 at the vendor' });
  expect(atVendor.getAttribute('href')).toBe('https://www.cve.org/CVERecord?id=CVE-2024-1001');
  // Names that are not CVEs link to the vendor's page only.
  expect(screen.getByRole('link', { name: 'not yet numbered' }).getAttribute('href')).toContain(
    'cve.org',
  );
  expect(screen.getByRole('button', { name: 'Copy all CVEs' })).toBeTruthy();
  expect(screen.getAllByText(/^Apr 08, 2024/)).toBeTruthy();
  // Storage facts are folded.
  expect(screen.getByText(/^Tue, Apr 09, 2024/).closest('details')?.open).toBe(false);
  expect(screen.getByText(/^Not provided by the vendor: .*Description/)).toBeTruthy();
  expect(screen.queryByRole('note')).toBeNull();
});

test('identifies a record without a name by its number', () => {
  expect(readIdentity(alma, { id: 7 }).words).toBe('Record 7');
});

describe('a table of hundreds of rows', () => {
  test('is paged, counted, searched and sorted', async () => {
    await show(record);
    const table = within(screen.getByRole('region', { name: 'Packages' }));
    expect(screen.getByRole('heading', { name: 'Packages 412' })).toBeTruthy();
    expect(table.getAllByRole('row')).toHaveLength(51);
    // Empty columns are omitted.
    expect(table.getAllByRole('columnheader').map((head) => head.textContent)).toEqual([
      'Name',
      'Version',
      'Architecture',
    ]);
    await person.click(screen.getByRole('button', { name: 'Next' }));
    expect(screen.getByText('51–100 of 412')).toBeTruthy();
    await pasteInto(screen.getByRole('searchbox', { name: 'Search packages' }), 'package-41');
    expect(screen.getByRole('heading', { name: 'Packages 3 of 412' })).toBeTruthy();
    await person.click(table.getByRole('button', { name: 'Version' }));
    await person.click(table.getByRole('button', { name: 'Version' }));
    expect(table.getAllByRole('row')[1]?.textContent).toContain('package-411');
  });
});

test('prints all rows of a table', async () => {
  await show(record);
  const table = within(screen.getByRole('region', { name: 'Packages' }));
  act(() => void dispatchEvent(new Event('beforeprint')));
  expect(table.getAllByRole('row')).toHaveLength(413);
  act(() => void dispatchEvent(new Event('afterprint')));
  expect(table.getAllByRole('row')).toHaveLength(51);
});

describe('records of other lists', () => {
  test('show the first of each list with shared identifiers, and the others on demand', async () => {
    const records = [1, 2, 3, 4].map((id) =>
      shared(id, `RLSA-2024:${id}`, ['CVE-2024-1001', 'CVE-2024-1002']),
    );
    await show(
      record,
      reply(sharingRecordsEndpoint, {
        identifiers: ['CVE-2024-1001', 'CVE-2024-1002'],
        lists: [
          { list: 'rockylinux_patch', totalCount: 57, records },
          { list: 'a list unknown to this console', totalCount: 1, records: [] },
        ],
      }),
    );
    expect(await screen.findByRole('heading', { name: 'Also in other lists 58' })).toBeTruthy();
    const table = within(screen.getByRole('table', { name: 'Rocky Linux patches' }));
    expect(table.getAllByRole('row')).toHaveLength(4);
    expect(table.getByRole('link', { name: 'RLSA-2024:1' }).getAttribute('href')).toBe(
      '/patch-repository/rockylinux-patch/record/1',
    );
    const names = table.getAllByRole('link', { name: 'CVE-2024-1002' });
    expect(names[0]?.getAttribute('href')).toBe('/patch-repository/identifier/CVE-2024-1002');
    expect(screen.queryByRole('link', { name: '57 records' })).toBeNull();
    await person.click(screen.getByRole('button', { name: 'Show 1 more' }));
    expect(table.getAllByRole('row')).toHaveLength(5);
    expect(screen.getByText('the newest 4 of 57')).toBeTruthy();
  });

  test('link the count to exactly these records of the list', async () => {
    const one = shared(1, 'RLSA-2024:1', ['CVE-2024-1001']);
    await show(
      record,
      reply(sharingRecordsEndpoint, {
        identifiers: ['CVE-2024-1001'],
        lists: [{ list: 'rockylinux_patch', totalCount: 1, records: [one] }],
      }),
    );
    const link = await screen.findByRole('link', {
      name: '1 record of Rocky Linux patches: show them',
    });
    expect(link.getAttribute('href')).toBe(
      '/patch-repository/rockylinux-patch?criteria=mentions.in.CVE-2024-1001&view=all',
    );
    expect(screen.queryByRole('columnheader', { name: 'In common' })).toBeNull();
  });

  test('are absent when nothing is shared', async () => {
    await show(record);
    await waitFor(() =>
      expect(screen.queryByRole('heading', { name: /^Also in other lists/ })).toBeNull(),
    );
    expect(sentCalls().map(({ path }) => path)).toContain('/sharing/almalinux_patch/7');
  });

  test('show a failure in their section, with a button to reload', async () => {
    await show(record, refuse(sharingRecordsEndpoint, 409));
    expect((await screen.findByRole('alert')).textContent).toContain('Refused with 409.');
    expect(screen.getByRole('heading', { name: 'ALSA-2024:1691' })).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Reload' })).toBeTruthy();
  });
});

test('shows the release packages of a notice with the specified columns and Yes or No', async () => {
  const notices = getList('linux_notice');
  const pack = {
    name: 'openssl',
    version: '3.0',
    osVersion: 'Ubuntu 22.04',
    pocket: 'security',
    is_source: true,
    is_visible: false,
  };
  const notice = {
    id: 9,
    noticeId: 'USN-1-1',
    title: 'OpenSSL',
    releasePackages: [pack],
    firstSeenTime: 1,
    changedTime: 1,
    withdrawnTime: null,
  };
  await renderInApp(
    <>
      <h2>Notice</h2>
      <RecordContent list={notices} record={notice as unknown as WireDetail} tableHeading="h3" />
    </>,
    { replies: [reply(sharingRecordsEndpoint, noSharing)] },
  );
  const [row] = (await screen.findAllByText('openssl'))
    .map((cell) => cell.closest('tr'))
    .filter((tr) => tr !== null);
  const cells = within(row as HTMLElement)
    .getAllByRole('cell')
    .map(({ textContent }) => textContent);
  const [yes, no] = specified.yesOrNo;
  expect(cells).toEqual(['openssl', '3.0', 'Ubuntu 22.04', 'security', yes, no]);
});

test('names the record in the title of the browser', async () => {
  await renderInApp(<RecordPage list={alma} id={7} />, {
    replies: [
      reply(detailEndpoint(alma), { ...record, modules: [], references: [] }),
      reply(sharingRecordsEndpoint, noSharing),
      noRisks,
      noSources,
    ],
  });
  await waitFor(() =>
    expect(document.title).toBe(
      'ALSA-2024:1691: Important: <b>openssl</b> security update · Patch Repository',
    ),
  );
});
