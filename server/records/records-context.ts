/** What the records module adds to the shared context: the desk at which all searches are made. */
import type { PlatformContext } from '../platform/platform-context.ts';
import { SearchDesk } from './search/search-desk.ts';

export interface RecordsContext extends PlatformContext {
  /** One for all modules: it bounds how many searches run at once. */
  readonly desk: SearchDesk;
}

export function recordsContext(platform: PlatformContext): RecordsContext {
  return { ...platform, desk: new SearchDesk(platform) };
}
