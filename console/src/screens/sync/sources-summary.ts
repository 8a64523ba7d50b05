/** Summarises all sources: '3 of 4 sources synced, 1 running, 1 failed, 1 needs a decision, 1 silent, 1 disabled'. */
import { getFreshness } from '@patch/contract/source-freshness.ts';
import type { SourceState } from '@patch/contract/sync-endpoints.ts';
import { isUnderWay } from '../../api/use-sources.ts';

/** Counts enabled sources whose last run failed or was interrupted. */
export function countFailed(states: readonly SourceState[]): number {
  return states.filter(
    ({ available, enabled, run }) =>
      available && enabled && (run?.state === 'failed' || run?.state === 'interrupted'),
  ).length;
}

export function summariseSources(states: readonly SourceState[], now = Date.now()): string {
  const available = states.filter((state) => state.available);
  const synced = available.filter(({ lastSuccessAt }) => lastSuccessAt !== null).length;
  const running = available.filter(isUnderWay).length;
  const enabled = available.filter((state) => state.enabled);
  const failed = countFailed(states);
  const quarantined = enabled.filter(({ quarantine }) => quarantine.length > 0).length;
  const silent = enabled.filter((state) => getFreshness(state, now) === 'silent').length;
  const disabled = available.length - enabled.length;
  return [
    `${synced} of ${available.length} sources synced`,
    ...(running > 0 ? [`${running} running`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(quarantined > 0
      ? [`${quarantined} ${quarantined === 1 ? 'needs' : 'need'} a decision`]
      : []),
    ...(silent > 0 ? [`${silent} silent`] : []),
    ...(disabled > 0 ? [`${disabled} disabled`] : []),
  ].join(', ');
}
