/** Messages between the sync thread and its owner. */
import type { LogLine } from '../../platform/threads/thread-log.ts';

export interface SyncThreadStart {
  readonly databaseUrl: string;
  readonly dataDir: string;
  readonly feedMirror: string | null;
  /** The module with the feeds. */
  readonly feedsModule: string;
}

export type SyncThreadCommand =
  /** Runs are queued, or records wait to be indexed. */
  | { readonly order: 'look' }
  | { readonly order: 'cancel'; readonly runId: number; readonly by: string };

export type SyncThreadEvent =
  /** The runs that this thread has taken and not ended: if it dies, they are interrupted. */
  | { readonly kind: 'running'; readonly runIds: readonly number[] }
  | { readonly kind: 'log'; readonly line: LogLine };
