/** How the syncs stand, on every page: running, waiting for a decision or with a source that is not fresh in amber, failed in red, just synced in green, else how long ago in grey. */

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
import { type PillTone, type RunWords, sourceStatusSummary } from './pill-of-sources.ts';
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

/** Whether its run has something to say here. */
const hasWords = (source: SourceState): boolean =>
  isUnderWay(source) || source.run?.state === 'failed' || source.run?.state === 'interrupted';

/** Fetched when they are first wanted. Without them the pill says less. */
function useRunWords(wanted: boolean): RunWords | undefined {
  const [words, setWords] = useState<RunWords>();
  useEffect(() => {
    if (!wanted) return;
    void import('@patch/contract/run-message-text.ts').then(setWords, () => undefined);
  }, [wanted]);
  return words;
}

export function SyncPill() {
  const { data } = useSources();
  const now = useNow();
  const runWords = useRunWords(data?.some(hasWords) === true);
  if (data === undefined) return null;
  const { tone, words, explained } = sourceStatusSummary(data, { now, zone: timeZone(), runWords });
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
