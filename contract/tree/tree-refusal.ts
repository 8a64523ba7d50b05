/** Reasons to refuse what a published tree contains: see docs/catalogue-format.md. */
export type TreeFault =
  | 'too_long'
  | 'malformed'
  | 'bad_signature'
  | 'older_head'
  | 'expired'
  | 'mixed'
  | 'foreign_epoch'
  | 'older_root'
  | 'truncated'
  | 'wrong_hash'
  | 'bad_root'
  | 'no_key'
  | 'wrong_digest';

/** The tree is not to be used; the message says why, and what to do. */
export class TreeRefusal extends Error {
  override readonly name = 'TreeRefusal';
  readonly fault: TreeFault;

  constructor(fault: TreeFault, message: string) {
    super(message);
    this.fault = fault;
  }
}
