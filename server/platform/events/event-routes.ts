/** Route of the events. */
import { eventsEndpoint } from '@patch/contract/event-endpoints.ts';
import type { Database } from '../database/database.ts';
import { requireUser } from '../http/require-user.ts';
import type { RouteRegistrar } from '../http/route.ts';
import { readEventCursor, writeEventCursor } from './event-cursor.ts';
import { publishEvents, readEventOrder, readEvents, toCatalogueEvent } from './event-store.ts';

export interface EventRoutes {
  readonly database: Database;
  readonly baseUrl: () => string;
}

export function eventRoutes(route: RouteRegistrar, { database, baseUrl }: EventRoutes): void {
  route(eventsEndpoint, async (request) => {
    const { after, limit } = request.query;
    const { id, userType } = requireUser(request);
    await publishEvents(database);
    const order = await readEventOrder(database);
    const from = after === undefined ? 0 : readEventCursor(after, order);
    const found = await readEvents(
      database,
      { id, isAdmin: userType === 'Admin' },
      { after: from, upTo: order.lastNumber, limit: limit + 1 },
    );
    const page = found.slice(0, limit);
    const more = found.length > limit;
    const last = more ? page.at(-1)?.number : order.lastNumber;
    return {
      objList: page.map((event) => toCatalogueEvent(event, baseUrl())),
      next: writeEventCursor(order.epoch, last ?? order.lastNumber),
      more,
    };
  });
}
