/** What keeps the client from its work: a sentence for whoever runs it, and the exit code for whatever does. */
export const exitCodes = {
  done: 0,
  unexpected: 1,
  /** Called with options that it does not understand, or that do not suffice. */
  usage: 2,
  /** The repository does not let it: revoked, expired, unknown, or a list that the licence does not cover. */
  refused: 3,
  /** No answer after all tries. */
  unreachable: 4,
  /** The folder cannot be used, or another client uses it. */
  folder: 5,
} as const;

export class ClientFailure extends Error {
  override readonly name = 'ClientFailure';
  readonly exitCode: number;
  constructor(kind: keyof typeof exitCodes, message: string, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCodes[kind];
  }
}

/** The repository has answered, and does not do what was asked. */
export class RepositoryRefusal extends ClientFailure {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, message: string) {
    super('refused', message);
    this.status = status;
    this.code = code;
  }
}
