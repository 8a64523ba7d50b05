/**
 * A completion adds values to a record when it is read, from another list's record of the same subject: two publications of one
 * vendor that do not reference each other. Nothing of it is stored, so a change of one list rewrites nothing in the other.
 */
import type { ListDefinition } from './list-definition.ts';

/** A record by the names of its fields, as it stands on the wire. */
export type RecordValues = Readonly<Record<string, unknown>>;

export interface Completion {
  /** The list whose records are completed. */
  readonly of: ListDefinition;
  readonly from: ListDefinition;
  /** An identifier field that both lists have and that must be equal. */
  readonly by: string;
  /** Picks the row of `from` that is certainly about the same subject; returns null if none exists. */
  readonly choose: <Row extends RecordValues>(
    record: RecordValues,
    candidates: readonly Row[],
  ) => Row | null;
  /** Maps the found record to the facts and tables to add; a null leaves the record's own value. */
  readonly gained: (found: RecordValues) => RecordValues;
}
