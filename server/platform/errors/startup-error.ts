/** The reason why the service cannot start, in one sentence for the operator. It is printed without a stack trace. */
export class StartupError extends Error {
  override readonly name: string = 'StartupError';
}
