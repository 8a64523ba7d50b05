/** Shared context of the records module: search execution and the in-memory lists. */
import type { Registry } from 'prom-client';
import type { PlatformContext } from '../platform/platform-context.ts';
import type { CriterionEvaluators } from './criteria/computed-criteria.ts';
import { ListMemories } from './memory/list-memories.ts';
import { searchMetrics } from './memory/memory-metrics.ts';
import { SearchService } from './search/search-service.ts';
import { SearchStore } from './search/search-store.ts';

export interface RecordsContext extends PlatformContext {
  /** Shared by all modules, because it limits concurrent searches. */
  readonly searchService: SearchService;
  /** Shared by all modules, because it limits the memory of all lists together. */
  readonly memories: ListMemories;
  readonly moreMetrics: Registry;
}

/** @param evaluators of other modules, for criteria on fields that no row has. */
export function recordsContext(
  platform: PlatformContext,
  evaluators: CriterionEvaluators,
): RecordsContext {
  const { searchMemoryMegabytes = 256 } = platform.config;
  const memories = new ListMemories(platform.lists, {
    maxBytes: searchMemoryMegabytes * 1024 * 1024,
    onDecision: (words, facts) => platform.log.debug(facts, words),
  });
  const metrics = searchMetrics(memories);
  const store = new SearchStore(platform.lists, {
    memories,
    evaluators,
    onFailure: (error) => platform.log.warn({ err: error }, 'a list could not be read into memory'),
    onAnswer: ({ list, tier, ms, total }) => {
      metrics.observe(tier, ms / 1000);
      platform.log.debug({ list: list.key, tier, ms, total }, 'a search was answered');
    },
  });
  return {
    ...platform,
    searchService: new SearchService({ ...platform, database: platform.lists, memories, store }),
    memories,
    moreMetrics: metrics.registry,
  };
}
