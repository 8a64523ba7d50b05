/** Builds a successful run without news, with the given properties. */
import type { Run } from '../sources/sync-endpoints.ts';

export function runOfSource(more: Partial<Run> = {}): Run {
  return {
    id: 1,
    source: 'debian',
    state: 'succeeded',
    startedBy: 'schedule',
    queuedAt: 1,
    startedAt: 1,
    endedAt: 2,
    stage: null,
    done: 0,
    total: 0,
    added: 0,
    changed: 0,
    withdrawn: 0,
    unchanged: 0,
    rejected: 0,
    message: null,
    warnings: [],
    ...more,
  };
}
