/** How a concern answers its calls: it is handed `answer` and names call and handler; checking input, access and errors is done once, in the app. */
import type { Readable } from 'node:stream';
import type { Call } from '@patch/contract/call.ts';
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
  /** The client's address. */
  readonly address: string;
  readonly requestId: string;
  /** Says what the call changed, for the audit log. Secrets are masked there, by the names of their fields. */
  readonly changed: (change: Change) => void;
}

export interface Change {
  /** What was changed, in words that stand alone: `user jane`, `source wsus`. */
  readonly subject: string;
  /** Absent of what was made. */
  readonly before?: unknown;
  /** Absent of what was removed. */
  readonly after?: unknown;
}

/** A reply that is JSON text already, as the database wrote it; sent as it is. */
export class JsonText {
  readonly text: string | Uint8Array;
  constructor(text: string | Uint8Array) {
    this.text = text;
  }
}

/** A download, sent while it is written. One that breaks off in the middle ends the connection, so that nobody takes it for whole. */
export class FileStream {
  readonly name: string;
  /** Media type. */
  readonly type: string;
  readonly body: Readable;
  /** `name` may hold letters, digits, dots and hyphens. */
  constructor(name: string, type: string, body: Readable) {
    this.name = name;
    this.type = type;
    this.body = body;
  }
}

export type Handler<C extends Call> = (request: Request<C>) => Promise<z.input<C['reply']> | JsonText | FileStream | EventStream>;

export type Answer = <C extends Call>(call: C, handler: Handler<C>) => void;
