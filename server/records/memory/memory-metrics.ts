/** Metrics of searches, and of the lists in memory. */
import { Gauge, Histogram, Registry } from 'prom-client';
import type { ListMemories } from './list-memories.ts';

export interface SearchMetrics {
  readonly registry: Registry;
  /** Records the duration of a search. */
  readonly observe: (tier: 'memory' | 'database', seconds: number) => void;
}

export function searchMetrics(memories: ListMemories): SearchMetrics {
  const registry = new Registry();
  const seconds = new Histogram({
    name: 'patch_search_seconds',
    help: 'Duration of searches, by what answered them: memory or the database',
    labelNames: ['tier'] as const,
    buckets: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10],
    registers: [registry],
  });
  const bytesOfLists = new Gauge({
    name: 'patch_search_memory_bytes',
    help: 'Memory of the lists that searches are answered from',
    labelNames: ['list'] as const,
    registers: [],
    collect() {
      this.reset();
      for (const { list, bytes } of memories.figures) this.set({ list: list.key }, bytes);
    },
  });
  registry.registerMetric(bytesOfLists);
  return { registry, observe: (tier, duration) => seconds.observe({ tier }, duration) };
}
