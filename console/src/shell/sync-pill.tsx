/**
 * The state of the syncs on every page: amber while running, waiting for a decision or not fresh, red after a
 * failure, green after a recent success, otherwise grey with the time since.
 */

import {
  CheckCircleFilled,
  ClockCircleOutlined,
  CloseCircleFilled,
  LoadingOutlined,
  MinusCircleOutlined,
  WarningFilled,
} from '@ant-design/icons-svg';
import type { SourceState } from '@patch/contract/sync-endpoints.ts';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { timeZone } from '../api/session.ts';
import { isUnderWay, useSources } from '../api/use-sources.ts';
import { Icon } from '../widgets/icon.tsx';
import { syncPath } from '../widgets/list-paths.ts';
import { useNow } from '../widgets/ticking-clock.ts';
import { type PillTone, type RunTexts, summariseSourceStatus } from './source-status.ts';
import styles from './sync-pill.module.css';

const icons: Readonly<Record<PillTone, ReactNode>> = {
  running: <Icon of={LoadingOutlined} />,
  failed: <Icon of={CloseCircleFilled} />,
  quarantine: <Icon of={WarningFilled} />,
  concern: <Icon of={WarningFilled} />,
  synced: <Icon of={CheckCircleFilled} />,
  past: <Icon of={ClockCircleOutlined} />,
  never: <Icon of={MinusCircleOutlined} />,
};

/** Whether the run needs a text. */
const needsRunText = (source: SourceState): boolean =>
  isUnderWay(source) || source.run?.state === 'failed' || source.run?.state === 'interrupted';

/** Loads the texts on first need. Without them the pill shows less. */
function useRunTexts(isNeeded: boolean): RunTexts | undefined {
  const [texts, setTexts] = useState<RunTexts>();
  useEffect(() => {
    if (!isNeeded) return;
    void import('@patch/contract/run-message-text.ts').then(setTexts, () => undefined);
  }, [isNeeded]);
  return texts;
}

export function SyncPill() {
  const { data } = useSources();
  const now = useNow();
  const runTexts = useRunTexts(data?.some(needsRunText) === true);
  if (data === undefined) return null;
  const { tone, words, explanation } = summariseSourceStatus(data, {
    now,
    zone: timeZone(),
    runTexts,
  });
  return (
    <Link
      to={syncPath}
      search={{}}
      className={styles['pill']}
      data-tone={tone}
      data-tip={explanation}
      aria-label={`Sync: ${words}. ${explanation}`}
    >
      {icons[tone]}
      <span className={styles['words']}>{words}</span>
    </Link>
  );
}
