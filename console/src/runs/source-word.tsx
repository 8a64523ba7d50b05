/** One state of a source: that of its run while it is under way or has failed, and the freshness of its data otherwise. */
import { getFreshness } from '@patch/contract/source-freshness.ts';
import type { SourceState } from '@patch/contract/sync-endpoints.ts';
import { FreshnessWord } from '../releases/freshness-word.tsx';
import { useNow } from '../widgets/ticking-clock.ts';
import { toShownState } from './run-text.ts';
import { StateWord } from './state-word.tsx';

interface SourceWordProps {
  readonly state: SourceState;
  /** Fits on one line of a narrow column. */
  readonly isShort?: boolean;
}

export function SourceWord({ state, isShort = false }: SourceWordProps) {
  const shown = toShownState(state);
  const freshness = getFreshness(state, useNow());
  const isQuiet = ['never', 'succeeded', 'succeeded_with_warnings'].includes(shown);
  return isQuiet && (freshness === 'silent' || freshness === 'stale') ? (
    <FreshnessWord state={state} isShort={isShort} />
  ) : (
    <StateWord state={shown} />
  );
}

/** Ranks sources for a list with problems first. */
export function rankSource(state: SourceState, now: number): number {
  if (!state.available) return 9;
  if (!state.enabled) return 8;
  if (state.run?.state === 'failed' || state.run?.state === 'interrupted') return 0;
  if (state.quarantine.length > 0) return 1;
  const freshness = getFreshness(state, now);
  if (freshness === 'stale') return 2;
  if (freshness === 'silent') return 3;
  if (freshness === 'never') return 7;
  return state.run?.state === 'succeeded_with_warnings' ? 4 : 5;
}
