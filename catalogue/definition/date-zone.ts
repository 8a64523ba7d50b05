/** Picks the time zone in which a date is read: days that vendors state are the same everywhere. */
import type { Field } from './fields.ts';

/** Returns UTC for days, and the reader's zone for instants. */
export const dateZone = (field: Pick<Field, 'precision'>, readerZone: string): string =>
  field.precision === 'day' ? 'UTC' : readerZone;
