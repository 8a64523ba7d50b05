/** Messages between the sync thread and its owner. */
import type { SourceKey } from '@patch/catalogue/sources.ts';

export interface SyncThreadStart {
  readonly databaseUrl: string;
  readonly dataDir: string;
  readonly feedMirror: string | null;
  /** No other process works on the database. */
  readonly isOnlyProcess: boolean;
  /** The module with the feeds. */
  readonly feedsModule: string;
}

export type SyncThreadCommand =
  /** A run has been queued. */
  | { readonly order: 'look'; readonly source: SourceKey; readonly runId: number }
  /** The schedules of sources have changed. */
  | { readonly order: 'schedules' }
  | { readonly order: 'cancel'; readonly runId: number; readonly by: string }
  | { readonly order: 'stop' };

export type SyncThreadEvent =
  /** The runs that this thread has taken and not ended: if it dies, they are interrupted. */
  | { readonly kind: 'running'; readonly runIds: readonly number[] }
  | {
      readonly kind: 'log';
      readonly level: 'info' | 'warn' | 'error';
      readonly words: string;
      readonly detail: string | null;
    };
