/** Fake server of errata and KBs for tests of the list screen, and user actions. */
import { type CatalogueList, getList } from '@patch/catalogue/lists.ts';
import { type WireValue } from '@patch/contract/base/row-schema.ts';
import {
  type ListPreference,
  savePreferenceEndpoint,
} from '@patch/contract/operations/preference-endpoints.ts';
import { detailEndpoint } from '@patch/contract/records/detail-endpoint.ts';
import {
  groupedSearchEndpoint,
  type RowGroup,
} from '@patch/contract/records/grouped-search-endpoint.ts';
import {
  type SavedView,
  savedViewsEndpoint,
} from '@patch/contract/records/saved-view-endpoints.ts';
import { type SearchBody, searchEndpoint } from '@patch/contract/records/search-endpoint.ts';
import { updateCountEndpoint } from '@patch/contract/records/update-count-endpoint.ts';
import { screen, within } from '@testing-library/react';
import { destroyPreferences } from '../../api/preferences.ts';
import { emptyService } from '../../testing/empty-service.ts';
import { addReplies, refusal, reply, type SentCall } from '../../testing/fake-api.ts';
import { fillIn, pressKey } from '../../testing/person.ts';
import { renderInApp } from '../../testing/render-in-app.tsx';
import { signInAs } from '../../testing/sign-in-as.ts';
import { listSearchSchema } from '../address/list-url.ts';
import { ListScreen } from '../list-screen.tsx';

export const alma = getList('almalinux_patch');
export const kbs = getList('kb_repository');

interface SearchCall extends NonNullable<SearchBody> {
  readonly offset: number;
  readonly size: number;
  readonly sort: string | null;
}

interface ServedData {
  readonly total?: number;
  /** Number of updates among the records. */
  readonly counted?: { readonly totalCount: number; readonly updateCount: number };
  /** Number of updates of a grouped search; by default, each record is one. */
  readonly updates?: number;
  /** Records of the update that the row stands for. */
  readonly group?: (id: number) => RowGroup;
  /** Further fields of the row with the id. */
  readonly more?: (id: number) => Readonly<Record<string, WireValue>>;
  /** Number of records that a sync has put before the others. */
  readonly arrived?: () => number;
  /** Delays the reply to a search. */
  readonly until?: (search: SearchCall) => Promise<void> | undefined;
  readonly views?: SavedView[];
  readonly refused?: { readonly status: number; readonly userMessage: string };
}

/** Serves `total` errata and as many KBs. Returns the searches it receives. */
export function serve(served: ServedData): readonly SearchCall[] {
  const { total = 60, counted = { totalCount: total, updateCount: total }, views = [] } = served;
  const calls: SearchCall[] = [];
  addReplies(
    reply(savedViewsEndpoint, { objList: views, totalCount: views.length }),
    reply(savePreferenceEndpoint, ({ body }) => {
      const saved = body as { readonly moduleName: string; readonly preference: ListPreference };
      return { preferences: { [saved.moduleName]: saved.preference }, frame: {} };
    }),
    reply(detailEndpoint(alma), ({ params }) => ({
      ...buildRow(Number(params['id']), served),
      packages: [],
      modules: [],
      references: [],
      firstSeenTime: 1,
      changedTime: 1,
      withdrawnTime: null,
    })),
    reply(updateCountEndpoint(kbs), counted),
    ...[alma, kbs].map((list) => reply(searchEndpoint(list), answerSearch(served, calls))),
    reply(groupedSearchEndpoint(kbs), async (request) => {
      const answer = await answerSearch(served, calls)(request);
      if (answer instanceof Response) return answer;
      const { totalCount } = answer;
      const objList = answer.objList.slice(0, served.updates);
      const groups = objList.map(
        ({ id }) => served.group?.(id) ?? { ids: [id], matching: 1, records: 1 },
      );
      return { objList, groups, totalCount, updateCount: served.updates ?? totalCount };
    }),
  );
  return calls;
}

function answerSearch(served: ServedData, calls: SearchCall[]) {
  const { total = 60, arrived = () => 0, until, refused } = served;
  return async ({ query, body }: Pick<SentCall, 'query' | 'body'>) => {
    if (refused !== undefined) return refusal(refused.status, refused);
    const [offset, size] = [Number(query['offset']), Number(query['size'])];
    const search = { offset, size, sort: query['sort'] ?? null, ...(body as SearchBody) };
    calls.push(search);
    await until?.(search);
    const { keyword, filter } = search;
    const wanted = /^id in \(([\d,]+)\)$/
      .exec(filter ?? '')?.[1]
      ?.split(',')
      .map(Number);
    if (wanted !== undefined)
      return { objList: wanted.map((id) => buildRow(id, served)), totalCount: wanted.length };
    const count = keyword === 'nothing' ? 0 : keyword === 'ALSA-2024:1007' ? 1 : total;
    const first = count === 1 ? 7 : offset + 1 - arrived();
    return {
      objList: Array.from({ length: Math.max(0, Math.min(size, count - offset)) }, (_, index) =>
        buildRow(first + index, served),
      ),
      totalCount: count,
    };
  };
}

function buildRow(id: number, { more = () => ({}) }: ServedData) {
  return {
    id,
    title: `Erratum ${id}`,
    bulletinId: `ALSA-2024:${1000 + id}`,
    severity: 'Critical',
    binaryPkgName: ['openssl'],
    ...more(id),
  };
}

export async function open(address = '', list: CatalogueList = alma) {
  const { search, router } = await renderInApp(<ListScreen list={list} />, {
    route: '/list',
    path: `/list${address}`,
    searchSchema: listSearchSchema,
  });
  await screen.findByRole('combobox', { name: `Search ${list.label}` });
  return { search, router };
}

export const searchBox = () => screen.getByRole('combobox', { name: 'Search AlmaLinux patches' });
export async function ask(words: string): Promise<void> {
  await fillIn(searchBox(), words);
  await pressKey('Enter', searchBox());
}
export const chips = () => within(screen.getByRole('list', { name: 'Criteria' }));

/** Resets preferences and serves empty replies. `serve` adds data. */
export function beginWithoutPreferences(): void {
  destroyPreferences();
  addReplies(...emptyService(signInAs({ email: 'a@example.org' })));
}
