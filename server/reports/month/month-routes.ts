/** Routes of a month: its numbers, the updates of a source, and the month as a file. */
import { Readable } from 'node:stream';
import type { Endpoint } from '@patch/contract/base/endpoint.ts';
import type { OwnProducts } from '@patch/contract/base/product-choice.ts';
import { toCalendarMonth } from '@patch/contract/dates/calendar-month.ts';
import {
  type MonthFormat,
  monthEndpoint,
  monthFileEndpoint,
  monthOfSourceEndpoint,
} from '@patch/contract/reports/month-endpoints.ts';
import { requireUser } from '../../platform/http/require-user.ts';
import {
  type EndpointRequest,
  FileStream,
  type RouteRegistrar,
} from '../../platform/http/route.ts';
import type { RecordsContext } from '../../records/records-context.ts';
import { getSearchCaller } from '../../records/search/search-service.ts';
import { readProductsOfUser } from '../products/products-of-user.ts';
import { csvOfMonth, markdownOfMonth } from './month-files.ts';
import { readMonthOfSource } from './month-of-source.ts';
import { readMonth } from './month-overview.ts';
import type { MonthScope } from './month-scope.ts';

type MonthRoutes = Pick<
  RecordsContext,
  'database' | 'clock' | 'searchService' | 'memories' | 'baseUrl'
>;

const fileTypes: Readonly<Record<MonthFormat, string>> = {
  md: 'text/markdown; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
};

export function monthRoutes(
  route: RouteRegistrar,
  { database, clock, searchService, memories, baseUrl }: MonthRoutes,
): void {
  const { store, counts } = searchService;
  const parts = { database, store, counts };
  const readScope = async (
    request: Pick<EndpointRequest<Endpoint>, 'user' | 'sight'>,
    key: string,
    products: 'all' | 'mine',
  ): Promise<{ readonly scope: MonthScope; readonly own: OwnProducts | null }> => {
    const own =
      products === 'all'
        ? null
        : await readProductsOfUser(
            { database, memories, store },
            requireUser(request).id,
            request.sight,
          );
    const when = { now: clock(), timeZone: 'UTC' };
    const names = own === null || own.names.length === 0 ? null : own.names;
    return { own, scope: { month: toCalendarMonth(key), products: names, when } };
  };
  route(monthEndpoint, (request) => {
    const { month, products, since } = { ...request.params, ...request.query };
    return searchService.run(getSearchCaller(request), async () => {
      const { scope, own } = await readScope(request, month, products);
      return readMonth(parts, scope, own, since);
    });
  });
  route(monthOfSourceEndpoint, (request) => {
    const { month, source } = request.params;
    return searchService.run(getSearchCaller(request), async () => {
      const { scope } = await readScope(request, month, request.query.products);
      return readMonthOfSource(parts, scope, source);
    });
  });
  route(monthFileEndpoint, async (request) => {
    const caller = getSearchCaller(request);
    const { format, products, since } = request.query;
    const { scope, own } = await readScope(request, request.params.month, products);
    const month = await searchService.run(caller, () => readMonth(parts, scope, own, since));
    // Each source is a search of its own, so that a slow reader blocks nobody.
    async function* readSources() {
      for (const { source } of month.sources)
        yield await searchService.run(caller, () => readMonthOfSource(parts, scope, source));
    }
    const file = { calendar: scope.month, month, sources: readSources(), base: baseUrl() };
    const text = format === 'md' ? markdownOfMonth(file) : csvOfMonth(file);
    return new FileStream(
      `updates-${scope.month.key}.${format}`,
      fileTypes[format],
      Readable.from(text),
    );
  });
}
