/** How the syncs stand, on every page: running, waiting for a decision or with a source that is not fresh in amber, failed in red, just synced in green, else how long ago in grey. */

import {
  CheckCircleFilled,
  ClockCircleOutlined,
  CloseCircleFilled,
  LoadingOutlined,
  MinusCircleOutlined,
  WarningFilled,
} from '@ant-design/icons-svg';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { timeZone } from '../api/session.ts';
import { useSources } from '../api/use-sources.ts';
import { Icon } from '../widgets/icon.tsx';
import { syncPath } from '../widgets/list-paths.ts';
import { useNow } from '../widgets/ticking-clock.ts';
import { type PillTone, sourceStatusSummary } from './pill-of-sources.ts';
import styles from './sync-pill.module.css';

const icons: Readonly<Record<PillTone, ReactNode>> = {
  running: <Icon of={LoadingOutlined} />,
  failed: <Icon of={CloseCircleFilled} />,
  held: <Icon of={WarningFilled} />,
  concern: <Icon of={WarningFilled} />,
  synced: <Icon of={CheckCircleFilled} />,
  past: <Icon of={ClockCircleOutlined} />,
  never: <Icon of={MinusCircleOutlined} />,
};

export function SyncPill() {
  const { data } = useSources();
  const now = useNow();
  if (data === undefined) return null;
  const { tone, words, explained } = sourceStatusSummary(data, now, timeZone());
  return (
    <Link
      to={syncPath}
      search={{}}
      className={styles['pill']}
      data-tone={tone}
      data-tip={explained}
      aria-label={`Sync: ${words}. ${explained}`}
    >
      {icons[tone]}
      <span className={styles['words']}>{words}</span>
    </Link>
  );
}
