/**
 * What a record says besides, when it is read, because another list has a record of the same thing: two publications of one vendor
 * that do not know each other. It is not stored, so that neither list has to be written when the other changes.
 */
import type { ListDefinition } from './list-definition.ts';

/** A record by the names of its fields, as it stands on the wire. */
export type RecordValues = Readonly<Record<string, unknown>>;

export interface Completion {
  /** Whose records gain. */
  readonly of: ListDefinition;
  readonly from: ListDefinition;
  /** The field that both have and that is the same: an identifier. */
  readonly by: string;
  /** The one among the rows of `from` that is certainly about the same thing; null when none is. */
  readonly choose: <Row extends RecordValues>(
    record: RecordValues,
    candidates: readonly Row[],
  ) => Row | null;
  /** The facts and tables that the record gains of a record of `from`; a null leaves what it says itself. */
  readonly gained: (found: RecordValues) => RecordValues;
}
