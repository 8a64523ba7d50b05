/**
 * The state of the syncs on every page: amber while running, waiting for a decision or not fresh, red after a
 * failure, green after a recent success, otherwise grey with the time since.
 */

import {
  CheckCircleFilled,
  ClockCircleOutlined,
  CloseCircleFilled,
  DisconnectOutlined,
  LoadingOutlined,
  MinusCircleOutlined,
  WarningFilled,
} from '@ant-design/icons-svg';
import type { IconDefinition } from '@ant-design/icons-svg/es/types.js';
import type { SourceState } from '@patch/contract/sources/sync-endpoints.ts';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useConnectionLost, useReconnect } from '../api/connection.ts';
import { timeZone } from '../api/session.ts';
import { isUnderWay, useSources } from '../api/use-sources.ts';
import { Icon } from '../widgets/icon.tsx';
import { syncPath } from '../widgets/list-paths.ts';
import { useNow } from '../widgets/ticking-clock.ts';
import { type PillTone, type RunTexts, summariseSourceStatus } from './source-status.ts';
import styles from './sync-pill.module.css';

const icons: Readonly<Record<PillTone, IconDefinition>> = {
  running: LoadingOutlined,
  failed: CloseCircleFilled,
  quarantine: WarningFilled,
  concern: WarningFilled,
  synced: CheckCircleFilled,
  past: ClockCircleOutlined,
  never: MinusCircleOutlined,
};

/** Whether the run needs a text. */
const needsRunText = (source: SourceState): boolean =>
  isUnderWay(source) || source.run?.state === 'failed' || source.run?.state === 'interrupted';

/** Loads the texts on first need. Without them the pill shows less. */
function useRunTexts(isNeeded: boolean): RunTexts | undefined {
  const [texts, setTexts] = useState<RunTexts>();
  useEffect(() => {
    if (!isNeeded) return;
    void import('@patch/contract/sources/run-message-text.ts').then(setTexts, () => undefined);
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
      <Icon of={icons[tone]} />
      <span className={styles['words']}>{words}</span>
    </Link>
  );
}

const lossExplanation =
  'The service does not respond. The data shown may be outdated. It is refreshed when the connection is restored.';

/** Shows in the header that the service does not respond. */
export function ConnectionPill() {
  useReconnect();
  const isLost = useConnectionLost();
  return (
    <span role="status">
      {isLost ? (
        <span className={styles['pill']} data-tone="failed" data-tip={lossExplanation}>
          <Icon of={DisconnectOutlined} />
          <span aria-hidden className={styles['words']}>
            Connection lost
          </span>
          <span className="visually-hidden">Connection lost. {lossExplanation}</span>
        </span>
      ) : null}
    </span>
  );
}
