/** The calls of osv.dev over this catalogue. */

import { toIdentifier } from '@patch/catalogue/formats/osv-id.ts';
import { osvLists } from '@patch/catalogue/formats/osv-lists.ts';
import { type OsvTarget, readOsvQuery } from '@patch/catalogue/formats/osv-query.ts';
import type { OsvRecord } from '@patch/catalogue/formats/osv-record.ts';
import {
  type OsvQueryBody,
  osvBatchEndpoint,
  osvQueryEndpoint,
  osvRecordEndpoint,
} from '@patch/contract/osv-endpoints.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import type { RouteRegistrar } from '../../platform/http/route.ts';
import type { RecordsContext } from '../../records/records-context.ts';
import { getSearchCaller } from '../../records/search/search-service.ts';
import { osvRecords } from './osv-advisory-store.ts';
import { type AffectingAdvisory, advisoriesAffecting } from './osv-answers.ts';

/** Records in a page of `query`, and ids in a page of a query of a batch. */
const maxRecords = 100;
const maxIds = 1000;

export function osvRoutes(
  route: RouteRegistrar,
  { database, desk }: Pick<RecordsContext, 'database' | 'desk'>,
): void {
  route(osvQueryEndpoint, (request) =>
    desk.run(getSearchCaller(request), async () => {
      const { signal, body } = request;
      const [own = []] = await advisoriesAffecting(database, [readTarget(body)], signal);
      const { page, next } = selectPage(own, body, maxRecords);
      if (page.length === 0) return {};
      return { vulns: await readRecords(database, page), ...next };
    }),
  );

  route(osvBatchEndpoint, (request) =>
    desk.run(getSearchCaller(request), async () => {
      const { queries } = request.body;
      const targets = queries.map((query, index) => readTarget(query, `queries[${index}]: `));
      const all = await advisoriesAffecting(database, targets, request.signal);
      return {
        results: queries.map((query, index) => {
          const { page, next } = selectPage(all[index] ?? [], query, maxIds);
          if (page.length === 0) return {};
          const vulns = page.map(({ id, updated }) => ({
            id,
            modified: new Date(updated).toISOString(),
          }));
          return { vulns, ...next };
        }),
      };
    }),
  );

  route(osvRecordEndpoint, (request) =>
    desk.run(getSearchCaller(request), async () => {
      for (const list of osvLists) {
        const [found] = await osvRecords(database, list, [toIdentifier(request.params.id)]);
        if (found !== undefined) return { ...found };
      }
      throw new AppError('not_found', 'Bug not found.');
    }),
  );
}

/** `before` names the query in the sentence. */
function readTarget(query: OsvQueryBody, before = ''): OsvTarget {
  const target = readOsvQuery(query);
  if (typeof target === 'string') throw new AppError('invalid_osv_query', `${before}${target}`);
  return target;
}

/** A token is the id after which the page begins, in base64url. */
function selectPage(
  advisories: readonly AffectingAdvisory[],
  { page_token: token = '' }: OsvQueryBody,
  size: number,
) {
  const after = Buffer.from(token, 'base64url').toString();
  if (token !== '' && !/^[\x20-\x7e]{1,200}$/.test(after))
    throw new AppError('invalid_osv_query', 'Invalid page_token: send the one of the last reply.');
  const rest = advisories.filter(({ id }) => id > after);
  const page = rest.slice(0, size);
  const last = page.at(-1);
  const isLast = last === undefined || rest.length === page.length;
  return {
    page,
    next: isLast ? {} : { next_page_token: Buffer.from(last.id).toString('base64url') },
  };
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
