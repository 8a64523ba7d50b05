/** How a concern answers its calls: it is handed `answer` and names call and handler; checking input, access and errors is done once, in the app. */
import type { Call } from '@patch/contract/call.ts';
import type { SignedInUser } from '@patch/contract/sign-in-calls.ts';
import type { z } from 'zod';

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

export type Handler<C extends Call> = (request: Request<C>) => Promise<z.input<C['reply']> | JsonText>;

export type Answer = <C extends Call>(call: C, handler: Handler<C>) => void;
