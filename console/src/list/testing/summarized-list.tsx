/** All patches with a summary, for tests of its facets and its histogram. */
import { getList } from '@patch/catalogue/lists.ts';
import { saveFramePreferenceEndpoint } from '@patch/contract/operations/preference-endpoints.ts';
import type { SearchBody } from '@patch/contract/records/search-endpoint.ts';
import { searchEndpoint } from '@patch/contract/records/search-endpoint.ts';
import {
  type SearchSummary,
  type SummaryBody,
  searchSummaryEndpoint,
} from '@patch/contract/records/search-summary-endpoint.ts';
import { screen, within } from '@testing-library/react';
import { vi } from 'vitest';
import { destroyPreferences } from '../../api/preferences.ts';
import { emptyService } from '../../testing/empty-service.ts';
import { addReplies, bodiesSentTo, reply } from '../../testing/fake-api.ts';
import { renderInApp } from '../../testing/render-in-app.tsx';
import { signInAs } from '../../testing/sign-in-as.ts';
import { listSearchSchema } from '../address/list-url.ts';
import { ListScreen } from '../list-screen.tsx';

export const all = getList('all_patches');
export const month = (index: number) => Date.UTC(2026, index);

export const numbers: SearchSummary = {
  totalCount: 1312,
  facets: {
    severity: [
      { value: 'Critical', count: 1204 },
      { value: 'Low', count: 108 },
    ],
    vendor: [{ value: 'Microsoft', count: 1312 }],
    release: Array.from({ length: 20 }, (_, index) => ({
      value: `Release ${index + 1}`,
      count: 100 - index,
    })),
    exploited: [
      { value: true, count: 1 },
      { value: null, count: 1311 },
    ],
    superseded: [{ value: false, count: 1312 }],
    releaseDate: [
      { value: 2026, count: 1000 },
      { value: 2025, count: 312 },
    ],
  },
  furtherValues: {},
  histogram: {
    field: 'releaseDate',
    unit: 'month',
    buckets: [3, 4, 5, 6].map((index) => ({
      from: month(index),
      to: month(index + 1),
      count: index * 100,
      bySeverity: { Critical: index * 10, Low: index * 90 },
    })),
    withoutDate: 3,
    outside: 0,
  },
};

interface Served {
  readonly rowsAfter?: Promise<void>;
  readonly summary?: (body: SummaryBody) => SearchSummary | Response | Promise<SearchSummary>;
}

/** Answers the searches of All patches with one row, and its summaries. */
export function serve({ rowsAfter, summary = () => numbers }: Served = {}) {
  addReplies(
    reply(searchEndpoint(all), async ({ body }) => {
      await rowsAfter;
      const { keyword } = (body ?? {}) as NonNullable<SearchBody>;
      return { objList: keyword === 'none' ? [] : [buildRow(1)], totalCount: 1312 };
    }),
    reply(searchSummaryEndpoint(all), ({ body }) => summary(body as SummaryBody)),
    reply(saveFramePreferenceEndpoint, ({ body }) => ({
      preferences: {},
      frame: body as object,
    })),
  );
}
/** Bodies of the requested summaries. */
export const asked = () => bodiesSentTo(searchSummaryEndpoint(all));

const buildRow = (id: number) => ({
  id,
  title: `Patch ${id}`,
  list: 'kb_repository',
  recordId: id,
});

/** Opens All patches and returns a reader of its address. */
export async function open(address = '?view=all') {
  const { search } = await renderInApp(<ListScreen list={all} />, {
    route: '/list',
    path: `/list${address}`,
    searchSchema: listSearchSchema,
  });
  await screen.findByText('Patch 1');
  return search;
}

export const wide = (isWide: boolean) =>
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query.includes('>=') ? isWide : false,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
export const group = (name: string) => within(screen.getByRole('group', { name }));
export const box = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name });
export const chips = () => within(screen.getByRole('list', { name: 'Criteria' }));

/** Begins as an administrator on a wide screen, without preferences. */
export function beginOnWideScreen(): void {
  destroyPreferences();
  wide(true);
  addReplies(...emptyService(signInAs({ email: 'a@example.org' })));
}

export function endScreen(): void {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
}
