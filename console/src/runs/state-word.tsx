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
import type { ReactNode } from 'react';
import { colour } from '../theme/tokens.ts';
import { Icon } from '../widgets/icon.tsx';
import { type ShownState, type StateIcon, stateLooks } from './run-text.ts';
import styles from './state-word.module.css';

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
    <span className={styles['state']} style={{ color: colour(look.colour) }}>
      {icons[look.icon]}
      {look.word}
    </span>
  );
}
