/** A document, or a record of one, that was changed by chance. */

export interface Mutation {
  readonly content: string | Uint8Array;
  /** What was done, for the one who reads a failure. */
  readonly done: string;
}
