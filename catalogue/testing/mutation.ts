/** A document, or a record of one, that was changed at random. */

export interface Mutation {
  readonly content: string | Uint8Array;
  /** Describes the change for the reader of a failure. */
  readonly done: string;
}
