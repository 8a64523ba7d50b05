/** Why the service cannot start, in one sentence for the operator: printed without a stack trace. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
