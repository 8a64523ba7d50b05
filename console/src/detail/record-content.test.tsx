import { listOfKey } from '@patch/catalogue/lists.ts';
import type { WireDetail } from '@patch/contract/row-schema.ts';
import { fireEvent, render, screen, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { ReaderZone } from '../values/reader-zone.ts';
import { RecordContent } from './record-content.tsx';
import { identityOf, RecordIdentity } from './record-identity.tsx';

const alma = listOfKey('almalinux_patch');
const packages = Array.from({ length: 412 }, (_, place) => ({ name: `package-${place}`, version: `1.${place}`, architecture: 'x86_64' }));
const record = {
  id: 7,
  bulletinId: 'ALSA-2024:1691',
  title: 'Important: <b>openssl</b> security update',
  severity: 'Important',
  releaseDate: Date.UTC(2024, 3, 8),
  cve: ['CVE-2024-1', 'CVE-2024-2'],
  referenceLink: 'https://errata.almalinux.org/9/ALSA-2024-1691.html',
  packages,
  firstSeenTime: Date.UTC(2024, 3, 9),
  changedTime: Date.UTC(2024, 3, 10),
  withdrawnTime: null,
} as unknown as WireDetail;

const show = (shown: WireDetail) =>
  render(
    <ReaderZone value="UTC">
      <RecordIdentity list={alma} record={shown} heading={{ Tag: 'h2' }} />
      <RecordContent list={alma} record={shown} tableHeading="h3" />
    </ReaderZone>,
  );

test('identity on top, every fact that was given, the missing ones named once', () => {
  show(record);
  expect(screen.getByRole('heading', { name: 'ALSA-2024:1691' })).toBeTruthy();
  expect(screen.getByText('Important: <b>openssl</b> security update')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Open at the vendor' }).getAttribute('href')).toContain('errata.almalinux.org');
  expect(screen.getByRole('link', { name: 'CVE-2024-1' }).getAttribute('href')).toBe('https://www.cve.org/CVERecord?id=CVE-2024-1');
  expect(screen.getByRole('button', { name: 'Copy all CVEs' })).toBeTruthy();
  expect(screen.getByText(/^Mon, Apr 08, 2024 12:00 AM/)).toBeTruthy();
  expect(screen.getByText(/^Tue, Apr 09, 2024/)).toBeTruthy();
  expect(screen.getByText(/^Not given by the vendor: .*Description/)).toBeTruthy();
  expect(screen.queryByRole('note')).toBeNull();
});

test('a withdrawn record says since when', () => {
  show({ ...record, withdrawnTime: Date.UTC(2024, 5, 1) });
  expect(screen.getByRole('note').textContent).toContain('Sat, Jun 01, 2024 12:00 AM');
});

test('a record without any name is known by its number', () => {
  expect(identityOf(alma, { id: 7 }).words).toBe('Record 7');
});

describe('a table of hundreds of rows', () => {
  test('is paged, counted, searched and sorted', () => {
    show(record);
    const table = within(screen.getByRole('region', { name: 'Packages' }));
    expect(screen.getByRole('heading', { name: 'Packages 412' })).toBeTruthy();
    expect(table.getAllByRole('row')).toHaveLength(51);
    // Columns that no row fills are left out.
    expect(table.getAllByRole('columnheader').map((head) => head.textContent)).toEqual(['Name', 'Version', 'Architecture']);
    fireEvent.click(screen.getByRole('button', { name: 'Next' }));
    expect(screen.getByText('51–100 of 412')).toBeTruthy();
    fireEvent.change(screen.getByRole('searchbox', { name: 'Search packages' }), { target: { value: 'package-41' } });
    expect(screen.getByRole('heading', { name: 'Packages 3 of 412' })).toBeTruthy();
    fireEvent.click(table.getByRole('button', { name: 'Version' }));
    fireEvent.click(table.getByRole('button', { name: 'Version' }));
    expect(table.getAllByRole('row')[1]?.textContent).toContain('package-411');
  });
});
