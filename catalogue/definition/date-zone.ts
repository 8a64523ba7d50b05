/** The time zone in which a date is read: days that vendors state are the same everywhere. */
import type { Field } from './fields.ts';

/** The zone of days; for instants the reader's. */
export const dateZone = (field: Pick<Field, 'precision'>, readerZone: string): string =>
  field.precision === 'day' ? 'UTC' : readerZone;
