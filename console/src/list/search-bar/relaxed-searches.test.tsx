import { getList } from '@patch/catalogue/lists.ts';
import {
  type RelaxedSearches as Found,
  relaxedSearchEndpoint,
} from '@patch/contract/records/relaxed-search-endpoint.ts';
import { screen, waitFor } from '@testing-library/react';
import { HttpHandler } from 'msw/http';
import { expect, test, vi } from 'vitest';
import { refuse, reply, sentTo } from '../../testing/fake-api.ts';
import { person } from '../../testing/person.ts';
import { renderInApp } from '../../testing/render-in-app.tsx';
import type { RequestedSearch } from '../criteria/typed-search.ts';
import { RelaxedSearches } from './relaxed-searches.tsx';

const alma = getList('almalinux_patch');
const currentSearch: RequestedSearch = {
  criteria: [
    { paramName: 'severity', operator: 'in', value: ['Critical'] },
    { paramName: 'releaseDate', operator: 'equal', value: 'last_90_days' },
  ],
  keyword: 'kernel "real time"',
};

const relaxedCalls = () => sentTo(relaxedSearchEndpoint(alma));

async function show(answer: Found | HttpHandler, search = currentSearch) {
  const onAsk = vi.fn<(change: Partial<RequestedSearch>) => void>();
  const handler =
    answer instanceof HttpHandler ? answer : reply(relaxedSearchEndpoint(alma), answer);
  await renderInApp(<RelaxedSearches list={alma} currentSearch={search} onAsk={onAsk} />, {
    session: {},
    replies: [handler],
  });
  return onAsk;
}

test('shows what each criterion excludes, and removes it with one click', async () => {
  const onAsk = await show({
    readings: [],
    relaxed: [
      {
        without: { kind: 'condition', at: 1 },
        totalCount: 1084,
        newestReleaseDate: Date.UTC(2026, 4, 12, 12),
      },
      { without: { kind: 'keyword' }, totalCount: 3, newestReleaseDate: null },
      { without: { kind: 'term', at: 1 }, totalCount: 1, newestReleaseDate: null },
    ],
    untriedCount: 0,
  });
  const lines = (await screen.findAllByRole('listitem')).map(({ textContent }) => textContent);
  expect(lines).toEqual([
    'Without Release date is Last 90 days: 1,084 records; newest match May 12, 2026',
    'Without the keyword kernel "real time": 3 records',
    'Without "real time": 1 record',
  ]);
  const presses = [
    [/Last 90 days/, { criteria: currentSearch.criteria.slice(0, 1) }],
    [/the keyword/, { keyword: '' }],
    [/^Without "real time"/, { keyword: 'kernel' }],
  ] as const;
  for (const [name, change] of presses) {
    await person.click(screen.getByRole('button', { name }));
    expect(onAsk).toHaveBeenLastCalledWith(change);
  }
});

test('offers the words as criteria when they find records', async () => {
  const criteria = [{ paramName: 'osVersion', operator: 'equal', value: 'AlmaLinux 9' }] as const;
  const onAsk = await show({
    readings: [
      {
        criteria: [...criteria],
        keyword: 'openssl',
        totalCount: 12,
        newestReleaseDate: Date.UTC(2026, 4, 12, 12),
      },
    ],
    relaxed: [],
    untriedCount: 0,
  });
  expect((await screen.findByRole('listitem')).textContent).toBe(
    'Search for openssl, OS version is AlmaLinux 9: 12 records; newest match May 12, 2026',
  );
  expect(screen.queryByText(/does not help/)).toBeNull();
  await person.click(screen.getByRole('button', { name: /^Search for openssl/ }));
  expect(onAsk).toHaveBeenLastCalledWith({
    criteria: [...currentSearch.criteria, ...criteria],
    keyword: 'openssl',
  });
});

test('sends the search of the list, and says when no single criterion is the cause', async () => {
  await show({ readings: [], relaxed: [], untriedCount: 0 });
  expect(await screen.findByText('Removing a single criterion does not help.')).toBeTruthy();
  expect(relaxedCalls().map(({ body }) => body)).toEqual([
    {
      filter: expect.stringMatching(
        /^lower\(severity\) in \('critical'\) and releaseDate between /,
      ),
      keyword: 'kernel "real time"',
    },
  ]);
});

test('says how many criteria were not tried', async () => {
  await show({ readings: [], relaxed: [], untriedCount: 5 });
  expect(await screen.findByText('5 criteria were not tried.')).toBeTruthy();
  expect(screen.queryByText(/does not help/)).toBeNull();
});

test('shows nothing after a failure', async () => {
  await show(refuse(relaxedSearchEndpoint(alma), 503));
  await waitFor(() => expect(relaxedCalls()).toHaveLength(1));
  await waitFor(() => expect(document.querySelector('[aria-busy="false"]')).not.toBeNull());
  expect(screen.queryByRole('alert')).toBeNull();
  expect(screen.queryByRole('list')).toBeNull();
});
