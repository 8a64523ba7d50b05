/** A state as word, icon and colour. */
import {
  CheckCircleFilled,
  ClockCircleFilled,
  CloseCircleFilled,
  DisconnectOutlined,
  LoadingOutlined,
  MinusCircleOutlined,
  StopOutlined,
  WarningFilled,
} from '@ant-design/icons';
import type { ReactNode } from 'react';
import { colour } from '../theme/tokens.ts';
import { type ShownState, type StateIcon, stateLooks } from './run-words.ts';
import styles from './state-word.module.css';

const icons: Readonly<Record<StateIcon, ReactNode>> = {
  tick: <CheckCircleFilled aria-hidden />,
  warning: <WarningFilled aria-hidden />,
  cross: <CloseCircleFilled aria-hidden />,
  turning: <LoadingOutlined aria-hidden />,
  clock: <ClockCircleFilled aria-hidden />,
  stop: <StopOutlined aria-hidden />,
  broken: <DisconnectOutlined aria-hidden />,
  dash: <MinusCircleOutlined aria-hidden />,
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
