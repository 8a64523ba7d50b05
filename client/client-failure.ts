/** Why the client cannot continue: a message for the person who runs it, and an exit code for the calling script. */
export const exitCodes = {
  done: 0,
  unexpected: 1,
  /** Called with unknown or missing options. */
  usage: 2,
  /** The repository denies access: revoked, expired, unknown, or a list that the licence does not cover. */
  refused: 3,
  /** No response after all retries. */
  unreachable: 4,
  /** The folder cannot be used, or another client is using it. */
  folder: 5,
  /** An assessment: a record of the chosen severity is missing. */
  missing: 10,
  /** An assessment: the repository cannot decide whether a record is missing. */
  undecided: 11,
  /** A report: the repository could not read some of the machines. */
  incomplete: 12,
} as const;

export class ClientFailure extends Error {
  override readonly name = 'ClientFailure';
  readonly exitCode: number;
  constructor(kind: keyof typeof exitCodes, message: string, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCodes[kind];
  }
}

/** The repository responded with an error. */
export class RepositoryRefusal extends ClientFailure {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, message: string) {
    super('refused', message);
    this.status = status;
    this.code = code;
  }
}
