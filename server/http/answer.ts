/** How a concern answers its calls: it is handed `answer` and names call and handler; checking input, access and errors is done once, in the app. */
import type { Readable } from 'node:stream';
import type { Call } from '@patch/contract/call.ts';
import type { SignedInUser } from '@patch/contract/sign-in-calls.ts';
import type { z } from 'zod';
import type { EventStream } from './event-stream.ts';

export interface Request<C extends Call> {
  readonly params: z.output<C['params']>;
  readonly query: z.output<C['query']>;
  readonly body: z.output<C['body']>;
  /** Null only on public calls. */
  readonly user: SignedInUser | null;
  /** SHA-256 of the session's token, to end it; null on public calls. */
  readonly session: string | null;
  /** The client's address. */
  readonly address: string;
  readonly requestId: string;
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
