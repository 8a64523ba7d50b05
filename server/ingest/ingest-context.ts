/** Shared context of the ingest module: feeds, states of the sources, and the control of syncs. */
import type { AnyFeed } from '@patch/catalogue/definition/feed.ts';
import { feeds } from '@patch/catalogue/feeds.ts';
import type { SourceKey } from '@patch/catalogue/sources.ts';
import type { SourceState } from '@patch/contract/sync-endpoints.ts';
import type { PlatformContext } from '../platform/platform-context.ts';
import { ReleaseHistories } from './sync/release-histories.ts';
import { readSourceStates } from './sync/source-states.ts';
import type { SyncControl } from './sync/start-sync.ts';
import { SyncEvents } from './sync/sync-events.ts';

export interface IngestContext extends PlatformContext {
  readonly feeds: Partial<Record<SourceKey, AnyFeed>>;
  readonly states: () => Promise<SourceState[]>;
  readonly events: SyncEvents;
  readonly sync: SyncControl;
}

export function ingestContext(platform: PlatformContext, sync: SyncControl): IngestContext {
  const { database, notifications, clock, log } = platform;
  const histories = new ReleaseHistories(database);
  const states = () => readSourceStates({ database, feeds, clock, histories });
  const events = new SyncEvents({
    states,
    notifications,
    onError: (error) => log.warn({ err: error }, 'the state of the sources could not be read'),
  });
  return { ...platform, feeds, states, events, sync };
}
