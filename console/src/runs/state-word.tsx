/** The state of a run or source as word, icon and colour. */

import {
  CheckCircleFilled,
  ClockCircleFilled,
  CloseCircleFilled,
  DisconnectOutlined,
  LoadingOutlined,
  MinusCircleOutlined,
  StopOutlined,
  WarningFilled,
} from '@ant-design/icons-svg';
import { getFreshness } from '@patch/contract/sources/source-freshness.ts';
import type { SourceState } from '@patch/contract/sources/sync-endpoints.ts';
import type { ReactNode } from 'react';
import { FreshnessWord } from '../releases/freshness-word.tsx';
import { colour } from '../theme/tokens.ts';
import { Icon } from '../widgets/icon.tsx';
import { useNow } from '../widgets/ticking-clock.ts';
import { type ShownState, type StateIcon, stateLooks, toShownState } from './run-text.ts';

const icons: Readonly<Record<StateIcon, ReactNode>> = {
  tick: <Icon of={CheckCircleFilled} />,
  warning: <Icon of={WarningFilled} />,
  cross: <Icon of={CloseCircleFilled} />,
  turning: <Icon of={LoadingOutlined} />,
  clock: <Icon of={ClockCircleFilled} />,
  stop: <Icon of={StopOutlined} />,
  broken: <Icon of={DisconnectOutlined} />,
  dash: <Icon of={MinusCircleOutlined} />,
};

export function StateWord({ state }: { readonly state: ShownState }) {
  const look = stateLooks[state];
  return (
    <span className="icon-word" style={{ color: colour(look.colour) }}>
      {icons[look.icon]}
      {look.word}
    </span>
  );
}

/** One state of a source: that of its run while it is under way or has failed, and the freshness of its data otherwise. */
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
