/** What the database thread and those who ask it say to each other over a MessagePort. */

import type { QueryResult } from './database.ts';

/** Of what waits, interactive work goes first; then the parts of a long search; then background work (a sync). */
export type Priority = 'interactive' | 'yielding' | 'background';

/** What the thread is started with. */
export interface DatabasePlace {
  /** Null: in memory. */
  readonly folder: string | null;
  /** The file with which a new database begins; null: with nothing. */
  readonly archive: string | null;
}

export type ThreadRequest =
  | {
      readonly kind: 'query';
      readonly id: number;
      readonly text: string;
      readonly values: readonly unknown[];
      readonly inside: number | null;
      /** It goes after the port's other work. */
      readonly yielding?: true;
    }
  | {
      readonly kind: 'script';
      readonly id: number;
      readonly text: string;
      readonly inside: number | null;
    }
  /** Answered once the session is held; the transaction is then named by this id. */
  | { readonly kind: 'begin'; readonly id: number }
  | { readonly kind: 'commit' | 'rollback'; readonly id: number; readonly inside: number }
  /** If it has not begun, it is not begun and rejects with `timeout`; what has begun goes on to its answer. */
  | { readonly kind: 'forget'; readonly id: number; readonly of: number };

export interface PlainError {
  readonly code: string | null;
  readonly message: string;
  readonly constraint: string | null;
}

export type ThreadReply =
  | ({ readonly kind: 'rows'; readonly id: number } & QueryResult)
  | { readonly kind: 'failed'; readonly id: number; readonly failed: PlainError };

/** From the thread to who started it. */
export type ThreadEvent =
  | { readonly kind: 'open' }
  | { readonly kind: 'broken'; readonly failed: PlainError }
  | { readonly kind: 'closed' };

/** From who started it to the thread. */
export type ThreadCommand =
  | { readonly kind: 'attach'; readonly priority: Priority }
  | { readonly kind: 'close' };
