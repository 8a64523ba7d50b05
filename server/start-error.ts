/** Why the service cannot start, in a sentence for whoever starts it: printed without a stack trace. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
