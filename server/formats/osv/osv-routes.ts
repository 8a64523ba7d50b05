/** The calls of osv.dev over this catalogue. */

import { toIdentifier } from '@patch/catalogue/formats/osv-id.ts';
import { osvLists } from '@patch/catalogue/formats/osv-lists.ts';
import type { OsvRecord } from '@patch/catalogue/formats/osv-record.ts';
import {
  osvBatchEndpoint,
  osvQueryEndpoint,
  osvRecordEndpoint,
} from '@patch/contract/osv-endpoints.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { JsonText, type RouteRegistrar } from '../../platform/http/route.ts';
import type { RecordsContext } from '../../records/records-context.ts';
import { getSearchCaller } from '../../records/search/search-service.ts';
import { osvRecords } from './osv-advisory-store.ts';
import { type AffectingAdvisory, advisoriesAffecting } from './osv-answers.ts';
import { type AnswerOsvBatch, readTarget, selectPage } from './osv-batch.ts';

/** Records in a page. */
const maxRecords = 100;

export interface OsvRoutes extends Pick<RecordsContext, 'database' | 'searchService'> {
  readonly answerBatch: AnswerOsvBatch;
}

export function osvRoutes(
  route: RouteRegistrar,
  { database, searchService, answerBatch }: OsvRoutes,
): void {
  route(osvQueryEndpoint, (request) =>
    searchService.run(getSearchCaller(request), async () => {
      const { signal, body } = request;
      const [own = []] = await advisoriesAffecting(database, [readTarget(body)], signal);
      const { page, next } = selectPage(own, body, maxRecords);
      if (page.length === 0) return {};
      return { vulns: await readRecords(database, page), ...next };
    }),
  );

  route(osvBatchEndpoint, (request) =>
    searchService.run(
      getSearchCaller(request),
      async () => new JsonText(await answerBatch(request.body, request.signal)) as never,
    ),
  );

  route(osvRecordEndpoint, (request) =>
    searchService.run(getSearchCaller(request), async () => {
      for (const list of osvLists) {
        const [found] = await osvRecords(database, list, [toIdentifier(request.params.id)]);
        if (found !== undefined) return { ...found };
      }
      throw new AppError('not_found', 'Bug not found.');
    }),
  );
}

/** In the order of the advisories. */
async function readRecords(database: Queryable, advisories: readonly AffectingAdvisory[]) {
  const byId = new Map<string, OsvRecord>();
  for (const list of osvLists) {
    const own = advisories.filter((advisory) => advisory.list === list.key);
    if (own.length === 0) continue;
    const names = own.map(({ identifier }) => identifier);
    for (const record of await osvRecords(database, list, names)) byId.set(record.id, record);
  }
  return advisories.flatMap(({ id }) => {
    const record = byId.get(id);
    return record === undefined ? [] : [{ ...record }];
  });
}
