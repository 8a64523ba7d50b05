/** Route of the events, with a cursor for the position of a program. */
import { eventsEndpoint, eventsKeptDays } from '@patch/contract/operations/event-endpoints.ts';
import type { Database } from '../database/database.ts';
import { type Epochs, epochOf, eventCounter, readEpochs } from '../database/rows/epoch-store.ts';
import { AppError } from '../errors/app-error.ts';
import { requireUser } from '../http/require-user.ts';
import type { RouteRegistrar } from '../http/route.ts';
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
    const order = { ...(await readEventOrder(database)), epochs: await readEpochs(database) };
    const from = after === undefined ? 0 : readEventCursor(after, order);
    const found = await readEvents(
      database,
      { id, isAdmin: userType === 'Admin' },
      { after: from, upTo: order.lastNumber, limit: limit + 1 },
    );
    const page = found.slice(0, limit);
    const more = found.length > limit;
    const last = (more ? page.at(-1)?.number : undefined) ?? order.lastNumber;
    return {
      objList: page.map((event) => toCatalogueEvent(event, baseUrl())),
      next: writeEventCursor(epochOf(order.epochs, eventCounter, last), last),
      more,
    };
  });
}

/** The state of the database that a cursor is checked against. */
interface CursorState {
  readonly epochs: Epochs;
  readonly lastNumber: number;
  readonly removedNumber: number;
}

/** Programs treat the text as opaque and send it back. */
const writeEventCursor = (epoch: string, number: number): string =>
  Buffer.from(`event ${epoch} ${number}`).toString('base64url');

/**
 * Returns the number of the last event that the program has.
 * @throws AppError `bad_cursor` for any other text, and `cursor_ended` when events after it may have been removed.
 */
function readEventCursor(text: string, state: CursorState): number {
  const [, epoch, digits] =
    /^event (\w{1,40}) (\d{1,15})$/.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  if (epoch === undefined)
    throw new AppError(
      'bad_cursor',
      'Invalid value of after: it is not a cursor of this repository. Send the next of the last reply, or leave it out to begin with the oldest event.',
    );
  const number = Number(digits);
  if (epoch !== epochOf(state.epochs, eventCounter, number) || number > state.lastNumber)
    throw new AppError(
      'cursor_ended',
      'The database was restored since this cursor was given. Leave after out to begin with the oldest event; ids that you know are the same events.',
    );
  if (number < state.removedNumber)
    throw new AppError(
      'cursor_ended',
      `Events after this cursor were removed: they are kept for ${eventsKeptDays} days. Leave after out to begin with the oldest event.`,
    );
  return number;
}
