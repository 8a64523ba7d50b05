/** The detail endpoint of every list, and the endpoints of release packages and of the language map. */
import { completions } from '@patch/catalogue/completions.ts';
import type { Completion } from '@patch/catalogue/definition/completion.ts';
import { fold } from '@patch/catalogue/definition/fold.ts';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { catalogueLists, getList } from '@patch/catalogue/lists.ts';
import { windowsLanguages } from '@patch/catalogue/vendors/windows/names/windows-languages.ts';
import type { WireDetail } from '@patch/contract/base/row-schema.ts';
import { detailEndpoint } from '@patch/contract/records/detail-endpoint.ts';
import { languageMapEndpoint } from '@patch/contract/records/language-map-endpoint.ts';
import {
  noticeReleasePackagesEndpoint,
  thirdpartyReleasePackagesEndpoint,
} from '@patch/contract/records/release-package-endpoints.ts';
import { type ListSource, selectReader } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import type { RouteRegistrar } from '../../platform/http/route.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import { isLimited } from '../criteria/computed-criteria.ts';
import type { SearchStore } from '../search/search-store.ts';
import { assertSeen } from '../search/seen-machines.ts';
import { findByName, type OpenRestricted, readDetail, readRowsByName } from './detail-store.ts';

interface DetailParts {
  readonly lists: ListSource;
  readonly box: Pick<SecretBox, 'open'>;
  readonly searchService: { readonly store: Pick<SearchStore, 'findIds'> };
}

export function detailRoutes(
  route: RouteRegistrar,
  { lists, box, searchService }: DetailParts,
): void {
  const { store } = searchService;
  const read = async (
    list: ListDefinition,
    id: number | null,
    typed: string,
    open: OpenRestricted | null = null,
  ): Promise<WireDetail> => {
    let detail = id === null ? null : await readDetail(selectReader(lists, list), list, id, open);
    for (const completion of completions) {
      if (detail !== null && completion.of.key === list.key)
        detail = await completeDetail(lists, completion, detail);
    }
    if (detail !== null) return detail;
    throw new AppError('not_found', `${list.label} has no record ${typed}.`);
  };

  for (const list of catalogueLists) {
    route(detailEndpoint(list), async ({ params: { id }, sight }) => {
      if (isLimited(list, sight)) await assertSeen(store, sight, id);
      return read(list, id, String(id), sight.restricted ? box.open : null);
    });
  }

  const notices = getList('linux_notice');
  route(noticeReleasePackagesEndpoint, async ({ params: { noticeId } }) => {
    // The parameter is the id of a record or of a notice.
    const id =
      parseId(noticeId) ??
      (await findByName(selectReader(lists, notices), notices, 'noticeId', fold(noticeId)));
    return toReleasePackages(await read(notices, id, noticeId));
  });

  const applications = getList('thirdparty_patch');
  route(thirdpartyReleasePackagesEndpoint, async ({ params: { id } }) =>
    toReleasePackages(await read(applications, parseId(id), id)),
  );
}

function parseId(text: string): number | null {
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}

function toReleasePackages(detail: WireDetail) {
  const rows = detail['releasePackages'] as readonly Readonly<Record<string, unknown>>[];
  return {
    objList: rows.map((row, index) => ({ id: index + 1, ...row })),
    totalCount: rows.length,
  };
}

/** Returns the record unchanged when the other list has no certain match. */
async function completeDetail(
  lists: ListSource,
  { from, by, choose, gained }: Completion,
  record: WireDetail,
): Promise<WireDetail> {
  const name = record[by];
  if (typeof name !== 'string') return record;
  const reader = selectReader(lists, from);
  const chosen = choose(record, await readRowsByName(reader, from, by, fold(name)));
  const found = chosen === null ? null : await readDetail(reader, from, chosen.id);
  if (found === null) return record;
  const added = Object.entries(gained(found)).filter(
    ([, value]) => value !== null && value !== undefined,
  );
  return { ...record, ...Object.fromEntries(added) } as WireDetail;
}

export function languageMapRoutes(route: RouteRegistrar): void {
  route(languageMapEndpoint, async () => ({
    objList: [...windowsLanguages],
    totalCount: windowsLanguages.length,
  }));
}
