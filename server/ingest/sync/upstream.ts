/** The interface to the origin of documents: the vendors, the address of a mirror, or the folder of a mirror. */

/** Validators of a copy, for a conditional request. */
export interface Validators {
  readonly etag: string | null;
  /** In the original form of the vendor. */
  readonly lastModified: string | null;
}

export type UpstreamReply =
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'absent' }
  | ({
      readonly kind: 'body';
      readonly body: AsyncIterable<Uint8Array>;
      readonly length: number | null;
    } & Validators);

export interface RequestOptions {
  /** Hosts to which the vendor may redirect; any host by default. */
  readonly redirectHosts?: readonly string[] | undefined;
}

export interface Upstream {
  /** Identifies the origin, because validators are valid only at the same origin. */
  readonly origin: string;
  /** Makes one attempt. @throws FailedAttempt, or the reason of the signal when it is aborted; the body throws the same */
  request(
    url: string,
    cached: Validators | null,
    signal: AbortSignal,
    options?: RequestOptions,
  ): Promise<UpstreamReply>;
  close(): void;
}
