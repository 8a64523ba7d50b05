/** What the records module adds to the shared context: the desk at which all searches are made, and the lists in memory. */
import type { PlatformContext } from '../platform/platform-context.ts';
import { ListMemories } from './memory/list-memories.ts';
import { SearchDesk } from './search/search-desk.ts';
import { SearchStore } from './search/search-store.ts';

export interface RecordsContext extends PlatformContext {
  /** One for all modules: it bounds how many searches run at once. */
  readonly desk: SearchDesk;
  /** One for all modules: it bounds how much memory the lists take. */
  readonly memories: ListMemories;
}

export function recordsContext(platform: PlatformContext): RecordsContext {
  const memories = new ListMemories(platform.lists);
  const store = new SearchStore(platform.lists, {
    memories,
    onFailure: (error) => platform.log.warn({ err: error }, 'a list could not be read into memory'),
  });
  return {
    ...platform,
    desk: new SearchDesk({ ...platform, database: platform.lists, memories, store }),
    memories,
  };
}
