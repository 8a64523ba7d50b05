import { saveFramePreferenceEndpoint } from '@patch/contract/operations/preference-endpoints.ts';
import { searchEndpoint } from '@patch/contract/records/search-endpoint.ts';
import { searchSummaryEndpoint } from '@patch/contract/records/search-summary-endpoint.ts';
import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addReplies, bodiesSentTo, refusal, refuse, sentCalls } from '../../testing/fake-api.ts';
import { person } from '../../testing/person.ts';
import {
  all,
  asked,
  beginOnWideScreen,
  box,
  chips,
  endScreen,
  group,
  numbers,
  open,
  serve,
  wide,
} from '../testing/summarized-list.tsx';

beforeEach(beginOnWideScreen);
afterEach(endScreen);

describe('facets', () => {
  test('and the histogram are left out when no record has a value', async () => {
    const exploited = [{ value: null, count: 1312 }];
    const histogram = { ...numbers.histogram, buckets: [], withoutDate: 1312 };
    serve({
      summary: () => ({ ...numbers, facets: { ...numbers.facets, exploited }, histogram }) as never,
    });
    await open();
    await screen.findByRole('checkbox', { name: 'Critical, 1,204 records' });
    expect(screen.queryByRole('group', { name: 'Exploited' })).toBeNull();
    expect(screen.queryByRole('slider')).toBeNull();
  });

  test('show values with counts in the order of list and reply', async () => {
    serve();
    await open();
    expect(await screen.findByRole('checkbox', { name: 'Critical, 1,204 records' })).toBeTruthy();
    expect(
      within(screen.getByRole('complementary', { name: 'Filters' }))
        .getAllByRole('group')
        .flatMap((fieldset) => fieldset.querySelector('legend')?.textContent ?? []),
    ).toEqual([
      'Vendor',
      'Product or release',
      'Exploited',
      'Stated severity',
      'Superseded',
      'Release date',
    ]);
    expect(
      group('Exploited')
        .getAllByRole('checkbox')
        .map((checkbox) => checkbox.getAttribute('aria-label')),
    ).toEqual(['Yes, 1 record', 'Not known, 1,311 records']);
  });

  test('set the criterion of their field and keep other criteria', async () => {
    serve();
    const search = await open('?keyword=office&criteria=vendor.contains.soft');
    await person.click(await screen.findByRole('checkbox', { name: 'Critical, 1,204 records' }));
    expect(search()['criteria']).toBe('vendor.contains.soft**severity.in.Critical');
    expect(chips().getByText('Stated severity is one of')).toBeTruthy();
    await person.click(box('Low, 108 records'));
    expect(search()['criteria']).toBe('vendor.contains.soft**severity.in.Critical*.Low');
    expect(box('Low, 108 records').checked).toBe(true);
    await person.click(box('Critical, 1,204 records'));
    await person.click(box('Low, 108 records'));
    expect(search()).toEqual({ keyword: 'office', criteria: 'vendor.contains.soft' });
    await waitFor(() =>
      expect(asked()).toContainEqual({
        filter: "lower(vendor) like '%soft%' and lower(severity) in ('critical','low')",
        keyword: 'office',
        histogram: { field: 'releaseDate', timeZone: 'UTC' },
      }),
    );
  });

  test('show six values, all on request, and those that match a filter', async () => {
    serve();
    await open();
    await screen.findByRole('checkbox', { name: 'Release 6, 95 records' });
    const release = group('Product or release');
    expect(release.getAllByRole('checkbox')).toHaveLength(6);
    await person.click(release.getByRole('button', { name: 'Show all 20 of Product or release' }));
    expect(release.getAllByRole('checkbox')).toHaveLength(20);
    await person.click(release.getByRole('button', { name: 'Show fewer of Product or release' }));
    expect(release.getAllByRole('checkbox')).toHaveLength(6);
    await person.type(
      release.getByRole('searchbox', { name: 'Filter Product or release' }),
      'se 2',
    );
    const matches = release.getAllByRole('checkbox');
    expect(matches.map((checkbox) => checkbox.getAttribute('aria-label'))).toEqual([
      'Release 2, 99 records',
      'Release 20, 81 records',
    ]);
  });

  test('choose the first match of their filter with Enter', async () => {
    serve();
    const search = await open();
    const filter = await screen.findByRole('searchbox', { name: 'Filter Product or release' });
    await person.type(filter, 'se 12{Enter}');
    expect(search()['criteria']).toBe('release.in.Release 12');
    expect((filter as HTMLInputElement).value).toBe('');
    expect(box('Release 12, 89 records').checked).toBe(true);
  });

  test('keep chosen values visible, also distant ones and those with a count of 0', async () => {
    serve();
    await open('?criteria=release.in.Release 15*.Gone');
    expect(
      (await screen.findByRole<HTMLInputElement>('checkbox', { name: 'Release 15, 86 records' }))
        .checked,
    ).toBe(true);
    await person.click(await screen.findByRole('checkbox', { name: 'Gone, 0 records' }));
    expect(chips().getByText('Release 15')).toBeTruthy();
  });

  test('choose the last 90 days with one click', async () => {
    serve();
    const search = await open();
    await person.click(await screen.findByRole('button', { name: 'Last 90 days' }));
    expect(search()['criteria']).toBe('releaseDate.equal.last_90_days');
    expect(screen.getByRole('button', { name: 'Last 90 days' }).getAttribute('aria-pressed')).toBe(
      'true',
    );
    await person.click(screen.getByRole('button', { name: 'Last 90 days' }));
    expect(search()).toEqual({ view: 'all' });
  });

  test('are fetched after the rows and keep previous numbers until the reply', async () => {
    const rows = Promise.withResolvers<void>();
    const second = Promise.withResolvers<void>();
    serve({
      rowsAfter: rows.promise,
      summary: async (body) => {
        if (body?.filter !== undefined) await second.promise;
        return body?.filter === undefined
          ? numbers
          : { ...numbers, facets: { severity: [{ value: 'Critical', count: 7 }] } };
      },
    });
    const opened = open();
    await act(async () => undefined);
    expect(asked()).toEqual([]);
    rows.resolve();
    await opened;
    await person.click(await screen.findByRole('checkbox', { name: 'Critical, 1,204 records' }));
    await waitFor(() => expect(asked()).toHaveLength(2));
    expect(box('Critical, 1,204 records').checked).toBe(true);
    expect(box('Low, 108 records')).toBeTruthy();
    second.resolve();
    expect(await screen.findByRole('checkbox', { name: 'Critical, 7 records' })).toBeTruthy();
    expect(screen.queryByRole('checkbox', { name: /^Low/ })).toBeNull();
  });

  test('are refetched after the rows on refresh', async () => {
    serve();
    await open();
    await screen.findByRole('checkbox', { name: 'Critical, 1,204 records' });
    await person.click(screen.getByRole('button', { name: 'Refresh' }));
    await waitFor(() => expect(asked()).toHaveLength(2));
    expect(sentCalls().at(-1)?.path).toBe(searchSummaryEndpoint(all).path);
    addReplies(refuse(searchEndpoint(all), 500));
    await person.click(screen.getByRole('button', { name: 'Refresh' }));
    expect(await screen.findByText(/These rows were loaded/)).toBeTruthy();
    expect(asked()).toHaveLength(2);
  });

  test('show a failure with a retry button', async () => {
    let fails = true;
    serve({ summary: () => (fails ? refusal(500) : numbers) });
    await open('?criteria=severity.in.Low');
    const panel = within(await screen.findByRole('complementary', { name: 'Filters' }));
    expect(await panel.findByText(/Counts could not be loaded/)).toBeTruthy();
    // Chosen values stay available.
    expect(box('Low').checked).toBe(true);
    fails = false;
    await person.click(panel.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('checkbox', { name: 'Low, 108 records' })).toBeTruthy();
  });

  test('and the histogram are hidden with one click, which is saved', async () => {
    serve();
    await open();
    await person.click(screen.getByRole('button', { name: 'Filters' }));
    expect(screen.queryByRole('complementary', { name: 'Filters' })).toBeNull();
    expect(await screen.findByRole('slider')).toBeTruthy();
    await person.click(screen.getByRole('button', { name: 'Histogram' }));
    expect(screen.queryByRole('slider')).toBeNull();
    await waitFor(() =>
      expect(bodiesSentTo(saveFramePreferenceEndpoint)).toContainEqual({ facets: 'hidden' }),
    );
  });

  test('open as a sheet on narrow screens', async () => {
    wide(false);
    serve();
    await open('?criteria=severity.in.Low**cvss.greater_than.5');
    const button = screen.getByRole('button', { name: 'Filters 1 active' });
    expect(screen.queryByRole('checkbox', { name: /^Low/ })).toBeNull();
    await person.click(button);
    const sheet = within(await screen.findByRole('dialog', { name: 'Filters' }));
    await person.click(await sheet.findByRole('checkbox', { name: 'Critical, 1,204 records' }));
    expect(sheet.getByRole<HTMLInputElement>('checkbox', { name: /^Critical/ }).checked).toBe(true);
    await person.click(sheet.getByRole('button', { name: 'Show 1,312 records' }));
    expect(screen.queryByRole('dialog', { name: 'Filters' })).toBeNull();
    expect(screen.getByRole('button', { name: 'Filters 1 active' })).toBeTruthy();
  });
});
