/** Types for registering routes: a module passes a call and a handler; the app validates input, checks access and handles errors. */
import type { Readable } from 'node:stream';
import type { SignedInUser } from '@patch/contract/accounts/sign-in-endpoints.ts';
import type { ApiKeyScope, Endpoint } from '@patch/contract/base/endpoint.ts';
import type { z } from 'zod';
import type { CallingClient } from './authenticate.ts';
import type { EventStream } from './event-stream.ts';
import type { Sight } from './sight.ts';

export interface EndpointRequest<C extends Endpoint> {
  readonly params: z.output<C['params']>;
  readonly query: z.output<C['query']>;
  readonly body: z.output<C['body']>;
  /** Null on public calls and for clients. */
  readonly user: SignedInUser | null;
  /** SHA-256 of the session's token, to end it; null unless a user is signed in. */
  readonly session: string | null;
  /** Null unless a licensed client makes the call. */
  readonly client: CallingClient | null;
  /** The id of the API key with which the call is made; null without one. */
  readonly keyId: number | null;
  readonly sight: Sight;
  /** Returns what the user sees now who made a ticket with the call; null when they may no longer make the call. */
  readonly findSight: (call: Endpoint, userId: number) => Promise<Sight | null>;
  /** True if the session was started through an identity provider. */
  readonly byProvider: boolean;
  /** Throws an AppError unless the user has recently confirmed their identity, or an API key has the scope. For calls that need it only in some cases. */
  readonly requireProof: (scope?: ApiKeyScope) => void;
  /** The client's address. */
  readonly address: string;
  /** The User-Agent header; empty without one. */
  readonly userAgent: string;
  readonly requestId: string;
  /** Returns a cookie of the request; null without it. */
  readonly cookie: (name: string) => string | null;
  /** Returns true if the caller already has the reply with this ETag (If-None-Match), so that the handler can return `Unchanged`. */
  readonly knows: (tag: string) => boolean;
  /** Aborts when the caller closes the connection before the reply was sent. */
  readonly signal: AbortSignal;
  /** The body as it was sent, decompressed; null unless the call receives gzip. `body` is read from it when it is used. */
  readonly bytes: Uint8Array | null;
  /** The body; null unless the call receives a file. The connection is closed if it is not read completely. */
  readonly upload: Readable | null;
  /** Reports a change for the audit log, which masks secrets by field names. Call it before the change if a refusal must be recorded too. */
  readonly changed: (change: AuditedChange) => void;
}

export interface AuditedChange {
  /** The changed thing, understandable without context: `user jane`, `source wsus`. */
  readonly subject: string;
  /** Absent for a creation. */
  readonly before?: unknown;
  /** Absent for a removal. */
  readonly after?: unknown;
  /** The user that a successful public call identified, at sign-in. */
  readonly by?: Pick<SignedInUser, 'id' | 'name'>;
}

/** A reply that the database has already serialised as JSON. It is sent unchanged. */
export class JsonText {
  readonly text: string | Uint8Array;
  /** The ETag of this reply: letters, digits and dots. */
  readonly tag: string | null;
  constructor(text: string | Uint8Array, tag: string | null = null) {
    this.text = text;
    this.tag = tag;
  }
}

/** The caller already has the reply: a 304 is sent. */
export class Unchanged {
  readonly tag: string;
  constructor(tag: string) {
    this.tag = tag;
  }
}

/** A download that is sent while it is written. A failure closes the connection, so that nobody takes the file for complete. */
export class FileStream {
  readonly name: string;
  /** Media type. */
  readonly type: string;
  readonly body: Readable;
  /** The size; null if unknown. */
  readonly bytes: number | null;
  /** The ETag of this content, with which a caller can ask whether it changed; null without one. */
  readonly tag: string | null;
  /** Seconds for which anybody may cache it; 0: nobody. */
  readonly publicSeconds: number;
  /** @param name - Letters, digits, dots and hyphens. */
  constructor(
    name: string,
    type: string,
    body: Readable,
    bytes: number | null = null,
    tag: string | null = null,
    publicSeconds = 0,
  ) {
    this.name = name;
    this.tag = tag;
    this.publicSeconds = publicSeconds;
    this.type = type;
    this.body = body;
    this.bytes = bytes;
  }
}

/** A PNG that never changes under its name, so that browsers may cache it forever. */
export class CachedImage {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** @param name - Letters, digits, dots and hyphens. */
  constructor(name: string, bytes: Uint8Array) {
    this.name = name;
    this.bytes = bytes;
  }
}

/** Redirects the browser instead of replying. */
export class Redirect {
  readonly location: string;
  readonly headers: Readonly<Record<string, string>>;
  constructor(location: string, headers: Readonly<Record<string, string>> = {}) {
    this.location = location;
    this.headers = headers;
  }
}

export type EndpointHandler<C extends Endpoint> = (
  request: EndpointRequest<C>,
) => Promise<
  z.input<C['reply']> | JsonText | Unchanged | FileStream | CachedImage | Redirect | EventStream
>;

export type RouteRegistrar = <C extends Endpoint>(call: C, handler: EndpointHandler<C>) => void;

/** Converts /windows/kb/{id} to the router's /api/windows/kb/:id. */
export function routePath(call: Endpoint): string {
  return `/api${call.path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
}
