/** The freshness of a source as icon, word and colour. */
import {
  CheckCircleFilled,
  ClockCircleFilled,
  MinusCircleOutlined,
  QuestionCircleOutlined,
  StopOutlined,
  WarningFilled,
} from '@ant-design/icons-svg';
import {
  type Freshness,
  freshnessText,
  getFreshness,
} from '@patch/contract/sources/source-freshness.ts';
import type { SourceState } from '@patch/contract/sources/sync-endpoints.ts';
import type { ReactNode } from 'react';
import { type ColourName, colour } from '../theme/tokens.ts';
import { Icon } from '../widgets/icon.tsx';
import { useNow } from '../widgets/ticking-clock.ts';

const looks: Readonly<
  Record<Freshness, { readonly colour: ColourName; readonly icon: ReactNode }>
> = {
  fresh: { colour: 'success', icon: <Icon of={CheckCircleFilled} /> },
  silent: { colour: 'warning', icon: <Icon of={WarningFilled} /> },
  rhythm_unknown: { colour: 'textQuiet', icon: <Icon of={QuestionCircleOutlined} /> },
  stale: { colour: 'warning', icon: <Icon of={ClockCircleFilled} /> },
  never: { colour: 'textQuiet', icon: <Icon of={MinusCircleOutlined} /> },
  off: { colour: 'textQuiet', icon: <Icon of={StopOutlined} /> },
  unavailable: { colour: 'textQuiet', icon: <Icon of={MinusCircleOutlined} /> },
};

interface FreshnessWordProps {
  readonly state: SourceState;
  /** Leaves the usual rhythm of a silent source to the tooltip and screen readers. */
  readonly isShort?: boolean;
}

export function FreshnessWord({ state, isShort = false }: FreshnessWordProps) {
  const now = useNow();
  const look = looks[getFreshness(state, now)];
  const text = freshnessText(state, now);
  const [words = '', ...rhythm] = isShort ? text.split(/(?=, usually )/) : [text];
  return (
    <span
      className="icon-word text-balance"
      style={{ color: colour(look.colour) }}
      data-tip={rhythm.length > 0 ? text : undefined}
    >
      {look.icon}
      <span>
        {words}
        {rhythm.length > 0 && <span className="visually-hidden">{rhythm}</span>}
      </span>
    </span>
  );
}
