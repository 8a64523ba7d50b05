/** Where documents come from: the vendors, a mirror's address, or a mirror's folder. */

/** What the vendor said of the copy that we have, to ask for another only when there is one. */
export interface Validators {
  readonly etag: string | null;
  /** As the vendor wrote it. */
  readonly lastModified: string | null;
}

export type Served =
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'absent' }
  | ({
      readonly kind: 'body';
      readonly body: AsyncIterable<Uint8Array>;
      readonly length: number | null;
    } & Validators);

export interface AskOptions {
  /** Hosts that the vendor may redirect to; absent: any host. */
  readonly redirectHosts?: readonly string[] | undefined;
}

export interface Upstream {
  /** Names the place: what one says of its documents does not hold at another. */
  readonly origin: string;
  /** One attempt. Throws FailedAttempt, or the signal's reason once it is aborted; the body throws alike. */
  ask(
    url: string,
    have: Validators | null,
    signal: AbortSignal,
    options?: AskOptions,
  ): Promise<Served>;
  close(): void;
}
