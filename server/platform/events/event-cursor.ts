/** The position of a program in the events. Programs treat it as opaque text and send it back. */
import { eventsKeptDays } from '@patch/contract/event-endpoints.ts';
import { AppError } from '../errors/app-error.ts';

/** The state of the database that a cursor is checked against. */
export interface CursorState {
  /** The epoch of the database: see change_epoch. */
  readonly epoch: string;
  readonly lastNumber: number;
  readonly removedNumber: number;
}

export const writeEventCursor = (epoch: string, number: number): string =>
  Buffer.from(`event ${epoch} ${number}`).toString('base64url');

/**
 * Returns the number of the last event that the program has.
 * @throws AppError `bad_cursor` for any other text, and `cursor_ended` when events after it may have been removed.
 */
export function readEventCursor(text: string, state: CursorState): number {
  const [, epoch, digits] =
    /^event (\w{1,40}) (\d{1,15})$/.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  if (epoch === undefined)
    throw new AppError(
      'bad_cursor',
      'Invalid value of after: it is not a cursor of this repository. Send the next of the last reply, or leave it out to begin with the oldest event.',
    );
  const number = Number(digits);
  if (epoch !== state.epoch || number > state.lastNumber)
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
