/** Summarises all sources, on every screen alike: '3 of 4 sources synced, 1 running, 1 failed, 1 needs a decision, 1 silent, 1 overdue, 1 disabled'. */
import { type Freshness, getFreshness } from '@patch/contract/sources/source-freshness.ts';
import type { SourceState } from '@patch/contract/sources/sync-endpoints.ts';
import { isUnderWay } from '../api/use-sources.ts';

/** Counts enabled sources whose last run failed or was interrupted. */
export function countFailed(states: readonly SourceState[]): number {
  return states.filter(
    ({ available, enabled, run }) =>
      available && enabled && (run?.state === 'failed' || run?.state === 'interrupted'),
  ).length;
}

/** Counts sources that were synced at least once. */
export const countSynced = (states: readonly SourceState[]): number =>
  states.filter(({ lastSuccessAt }) => lastSuccessAt !== null).length;

export function summariseSources(states: readonly SourceState[], now = Date.now()): string {
  const available = states.filter((state) => state.available);
  const running = available.filter(isUnderWay).length;
  const enabled = available.filter((state) => state.enabled);
  if (enabled.length === 0) return 'No sources enabled';
  const failed = countFailed(states);
  const quarantined = enabled.filter(({ quarantine }) => quarantine.length > 0).length;
  const count = (freshness: Freshness) =>
    enabled.filter((state) => getFreshness(state, now) === freshness).length;
  const silent = count('silent');
  const overdue = count('stale');
  const disabled = available.length - enabled.length;
  return [
    `${countSynced(enabled)} of ${enabled.length} sources synced`,
    ...(running > 0 ? [`${running} running`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(quarantined > 0
      ? [`${quarantined} ${quarantined === 1 ? 'needs' : 'need'} a decision`]
      : []),
    ...(silent > 0 ? [`${silent} silent`] : []),
    ...(overdue > 0 ? [`${overdue} overdue`] : []),
    ...(disabled > 0 ? [`${disabled} disabled`] : []),
  ].join(', ');
}
