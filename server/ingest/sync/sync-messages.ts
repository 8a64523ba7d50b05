/** Messages between the sync thread and the main thread. */
import type { LogLine } from '../../platform/threads/thread-log.ts';

export interface SyncThreadStart {
  readonly databaseUrl: string;
  readonly dataDir: string;
  readonly feedMirror: string | null;
  /** The module that exports `feeds`. */
  readonly feedsModule: string;
}

export type SyncThreadCommand =
  /** Starts queued runs, and indexes records. */
  | { readonly order: 'look' }
  | { readonly order: 'cancel'; readonly runId: number; readonly by: string };

export type SyncThreadEvent =
  /** Active runs of the thread, which are interrupted if it dies. */
  | { readonly kind: 'running'; readonly runIds: readonly number[] }
  | { readonly kind: 'log'; readonly line: LogLine };
