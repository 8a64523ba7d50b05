/** The detail call of every list, and the release packages of notices and applications. */
import { completions } from '@patch/catalogue/completions.ts';
import { fold } from '@patch/catalogue/definition/fold.ts';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { catalogueLists, listOfKey } from '@patch/catalogue/lists.ts';
import { detailEndpoint } from '@patch/contract/detail-endpoint.ts';
import {
  noticeReleasePackagesEndpoint,
  thirdpartyReleasePackagesEndpoint,
} from '@patch/contract/release-package-endpoints.ts';
import type { WireDetail } from '@patch/contract/row-schema.ts';
import { type ListSource, readerOf } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import type { RouteRegistrar } from '../../platform/http/route.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import { completeDetail } from './complete-detail.ts';
import { findByName, type OpenRestricted, readDetail } from './detail-store.ts';

export interface DetailParts {
  /** What lists are read from. */
  readonly lists: ListSource;
  readonly box: Pick<SecretBox, 'open'>;
}

export function detailRoutes(route: RouteRegistrar, { lists, box }: DetailParts): void {
  const read = async (
    list: ListDefinition,
    id: number | null,
    asked: string,
    open: OpenRestricted | null = null,
  ): Promise<WireDetail> => {
    let detail = id === null ? null : await readDetail(readerOf(lists, list), list, id, open);
    for (const completion of completions) {
      if (detail !== null && completion.of.key === list.key)
        detail = await completeDetail(lists, completion, detail);
    }
    if (detail !== null) return detail;
    throw new AppError('not_found', `${list.label} has no record ${asked}.`);
  };

  for (const list of catalogueLists) {
    route(detailEndpoint(list), ({ params: { id }, seesRestricted }) =>
      read(list, id, String(id), seesRestricted ? box.open : null),
    );
  }

  const notices = listOfKey('linux_notice');
  route(noticeReleasePackagesEndpoint, async ({ params: { noticeId: asked } }) => {
    // A record's number, or the notice's own id.
    const id =
      numberOf(asked) ??
      (await findByName(readerOf(lists, notices), notices, 'noticeId', fold(asked)));
    return releasePackages(await read(notices, id, asked));
  });

  const applications = listOfKey('thirdparty_patch');
  route(thirdpartyReleasePackagesEndpoint, async ({ params: { id: asked } }) =>
    releasePackages(await read(applications, numberOf(asked), asked)),
  );
}

function numberOf(asked: string): number | null {
  return /^\d{1,15}$/.test(asked) ? Number(asked) : null;
}

function releasePackages(detail: WireDetail) {
  const rows = detail['releasePackages'] as readonly Readonly<Record<string, unknown>>[];
  return {
    objList: rows.map((row, place) => ({ id: place + 1, ...row })),
    totalCount: rows.length,
  };
}
