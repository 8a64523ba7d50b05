/** Shows in the header that the service does not respond. */
import { DisconnectOutlined } from '@ant-design/icons-svg';
import { useConnectionLost, useReconnect } from '../api/connection.ts';
import { Icon } from '../widgets/icon.tsx';
import styles from './sync-pill.module.css';

const explanation =
  'The service does not respond. The data shown may be outdated. It is refreshed when the connection is restored.';

export function ConnectionPill() {
  useReconnect();
  const isLost = useConnectionLost();
  return (
    <span role="status">
      {isLost ? (
        <span className={styles['pill']} data-tone="failed" data-tip={explanation}>
          <Icon of={DisconnectOutlined} />
          <span aria-hidden className={styles['words']}>
            Connection lost
          </span>
          <span className="visually-hidden">Connection lost. {explanation}</span>
        </span>
      ) : null}
    </span>
  );
}
