/** What the records module adds to the shared context: the desk at which all searches are made, and the lists in memory. */
import type { PlatformContext } from '../platform/platform-context.ts';
import { HeldSearches } from './memory/held-searches.ts';
import { ListMemories } from './memory/list-memories.ts';
import { PageCache } from './search/page-cache.ts';
import { SearchDesk } from './search/search-desk.ts';

export interface RecordsContext extends PlatformContext {
  /** One for all modules: it bounds how many searches run at once. */
  readonly desk: SearchDesk;
  /** One for all modules: it bounds how much memory the lists take. */
  readonly memories: ListMemories;
}

export function recordsContext(platform: PlatformContext): RecordsContext {
  const memories = new ListMemories(platform.lists);
  const searches = new HeldSearches(memories, (error) =>
    platform.log.warn({ err: error }, 'texts could not be read into memory'),
  );
  const pages = new PageCache(memories.stamps);
  return {
    ...platform,
    desk: new SearchDesk({ ...platform, database: platform.lists, searches, pages }),
    memories,
  };
}
