/** How a module registers its routes: it calls `answer` with a call and a handler; the app validates input, checks access and handles errors once for all. */
import type { Readable } from 'node:stream';
import type { ApiKeyScope, Endpoint } from '@patch/contract/endpoint.ts';
import type { SignedInUser } from '@patch/contract/sign-in-endpoints.ts';
import type { z } from 'zod';
import type { CallingClient } from './authenticate.ts';
import type { EventStream } from './event-stream.ts';

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
  /** Whether the caller may read restricted fields of lists: an administrator, or an administrator's API key with the scope `clients`. */
  readonly seesRestricted: boolean;
  /** An identity provider began the session. */
  readonly byProvider: boolean;
  /** Throws an AppError unless the person has confirmed their identity within the last minutes, or an API key has the scope; for calls that need it only in some cases. */
  readonly requireProof: (scope?: ApiKeyScope) => void;
  /** The client's address. */
  readonly address: string;
  /** The User-Agent header; empty without one. */
  readonly userAgent: string;
  readonly requestId: string;
  /** A cookie of the request; null without it. */
  readonly cookie: (name: string) => string | null;
  /** Whether the caller already has the reply with that ETag (If-None-Match): then `Unchanged` is enough. */
  readonly knows: (tag: string) => boolean;
  /** Aborted when the caller has closed the connection before the reply was sent. */
  readonly signal: AbortSignal;
  /** The request's body; null unless the call receives a file. Read it to the end, or leave it: then the connection is closed. */
  readonly upload: Readable | null;
  /** Reports what the call changed, for the audit log; before the change, if a refusal must be recorded too. Secrets are masked there, by the names of their fields. */
  readonly changed: (change: AuditedChange) => void;
}

export interface AuditedChange {
  /** What was changed, understandable without context: `user jane`, `source wsus`. */
  readonly subject: string;
  /** Absent when something was created. */
  readonly before?: unknown;
  /** Absent when something was removed. */
  readonly after?: unknown;
  /** The user that a public call identified, if it succeeded: at sign-in. */
  readonly by?: Pick<SignedInUser, 'id' | 'name'>;
}

/** A reply that the database has already serialized as JSON; sent unchanged. */
export class JsonText {
  readonly text: string | Uint8Array;
  /** Identifies exactly this reply, so that the caller can ask whether it changed. Letters, digits and dots. */
  readonly tag: string | null;
  constructor(text: string | Uint8Array, tag: string | null = null) {
    this.text = text;
    this.tag = tag;
  }
}

/** The caller already has the reply: nothing is sent again. */
export class Unchanged {
  readonly tag: string;
  constructor(tag: string) {
    this.tag = tag;
  }
}

/** A download, sent while it is written. A failure midway closes the connection, so that no one takes the file for complete. */
export class FileStream {
  readonly name: string;
  /** Media type. */
  readonly type: string;
  readonly body: Readable;
  /** Null while it is not known. */
  readonly bytes: number | null;
  /** Identifies exactly this content, so that the caller can ask whether it changed; null where nobody asks. */
  readonly tag: string | null;
  /** `name` may hold letters, digits, dots and hyphens. */
  constructor(
    name: string,
    type: string,
    body: Readable,
    bytes: number | null = null,
    tag: string | null = null,
  ) {
    this.name = name;
    this.tag = tag;
    this.type = type;
    this.body = body;
    this.bytes = bytes;
  }
}

/** Content that never changes under its name, so that browsers may cache it forever. */
export class CachedImage {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** A PNG. `name` may hold letters, digits, dots and hyphens. */
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
