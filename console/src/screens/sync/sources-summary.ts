/** All sources in one line: '9 of 11 sources synced, 1 running, 2 failed'. */
import type { SourceState } from '@patch/contract/sync-calls.ts';
import { isUnderWay } from '../../api/use-sources.ts';

export function sourcesSummary(states: readonly SourceState[]): string {
  const available = states.filter((state) => state.available);
  const synced = available.filter(({ lastSuccessAt }) => lastSuccessAt !== null).length;
  const running = available.filter(isUnderWay).length;
  const failed = available.filter(({ run }) => run?.state === 'failed' || run?.state === 'interrupted').length;
  return [
    `${synced} of ${available.length} sources synced`,
    ...(running > 0 ? [`${running} running`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
  ].join(', ');
}
