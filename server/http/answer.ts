/** How a concern answers its calls: it is handed `answer` and names call and handler; checking input, access and errors is done once, in the app. */
import type { Readable } from 'node:stream';
import type { ApiKeyScope, Call } from '@patch/contract/call.ts';
import type { SignedInUser } from '@patch/contract/sign-in-calls.ts';
import type { z } from 'zod';
import type { EventStream } from './event-stream.ts';
import type { CallingClient } from './signed-in.ts';

export interface Request<C extends Call> {
  readonly params: z.output<C['params']>;
  readonly query: z.output<C['query']>;
  readonly body: z.output<C['body']>;
  /** Null on public calls and for clients. */
  readonly user: SignedInUser | null;
  /** SHA-256 of the session's token, to end it; null unless somebody signed in. */
  readonly session: string | null;
  /** Null unless a licensed client makes the call. */
  readonly client: CallingClient | null;
  /** Whether the caller may read restricted fields of lists: an administrator, or one's API key with the scope `clients`. */
  readonly seesRestricted: boolean;
  /** An identity provider began the session. */
  readonly byProvider: boolean;
  /** Throws a Refusal unless the person has proved who they are within the last minutes, or an API key has the scope; for calls of which a part only asks for it. */
  readonly requireProof: (scope?: ApiKeyScope) => void;
  /** The client's address. */
  readonly address: string;
  /** As the caller's program calls itself; empty when it does not. */
  readonly userAgent: string;
  readonly requestId: string;
  /** A cookie that the browser sent; null without it. */
  readonly cookie: (name: string) => string | null;
  /** Whether the caller has the reply of that tag already (If-None-Match): then `Unchanged` is enough. */
  readonly knows: (tag: string) => boolean;
  /** Aborted when the caller has closed the connection before the answer was sent. */
  readonly signal: AbortSignal;
  /** What is being sent; null unless the call receives a file. Taken to its end, or left: then the connection is closed. */
  readonly upload: Readable | null;
  /** Says what the call changed, for the audit log; before it is done, when being refused shall be on record too. Secrets are masked there, by the names of their fields. */
  readonly changed: (change: Change) => void;
}

export interface Change {
  /** What was changed, in words that stand alone: `user jane`, `source wsus`. */
  readonly subject: string;
  /** Absent of what was made. */
  readonly before?: unknown;
  /** Absent of what was removed. */
  readonly after?: unknown;
  /** Whom a public call found to be the one who did it, provided that it was done: at sign-in. */
  readonly by?: Pick<SignedInUser, 'id' | 'name'>;
}

/** A reply that is JSON text already, as the database wrote it; sent as it is. */
export class JsonText {
  readonly text: string | Uint8Array;
  /** Names this very reply, so that the caller can ask whether there is another. Letters, digits and dots. */
  readonly tag: string | null;
  constructor(text: string | Uint8Array, tag: string | null = null) {
    this.text = text;
    this.tag = tag;
  }
}

/** The caller has the reply already: nothing is sent again. */
export class Unchanged {
  readonly tag: string;
  constructor(tag: string) {
    this.tag = tag;
  }
}

/** A download, sent while it is written. One that breaks off in the middle ends the connection, so that nobody takes it for whole. */
export class FileStream {
  readonly name: string;
  /** Media type. */
  readonly type: string;
  readonly body: Readable;
  /** Null while it is not known. */
  readonly bytes: number | null;
  /** `name` may hold letters, digits, dots and hyphens. */
  constructor(name: string, type: string, body: Readable, bytes: number | null = null) {
    this.name = name;
    this.type = type;
    this.body = body;
    this.bytes = bytes;
  }
}

/** Something that never changes under its name, so that browsers keep it for ever. */
export class KeptImage {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** A PNG. `name` may hold letters, digits, dots and hyphens. */
  constructor(name: string, bytes: Uint8Array) {
    this.name = name;
    this.bytes = bytes;
  }
}

/** Leads the browser on, instead of a reply. */
export class Redirect {
  readonly location: string;
  readonly headers: Readonly<Record<string, string>>;
  constructor(location: string, headers: Readonly<Record<string, string>> = {}) {
    this.location = location;
    this.headers = headers;
  }
}

export type Handler<C extends Call> = (
  request: Request<C>,
) => Promise<z.input<C['reply']> | JsonText | Unchanged | FileStream | KeptImage | Redirect | EventStream>;

export type Answer = <C extends Call>(call: C, handler: Handler<C>) => void;
