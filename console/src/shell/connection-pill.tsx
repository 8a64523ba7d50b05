/** Says in the header that the service does not answer, for as long as it does not. */
import { DisconnectOutlined } from '@ant-design/icons-svg';
import { useConnectionLost, useReconnect } from '../api/connection.ts';
import { Icon } from '../widgets/icon.tsx';
import styles from './sync-pill.module.css';

const explained =
  'The service does not answer. What is shown may be old; it is refreshed when the connection is back.';

export function ConnectionPill() {
  useReconnect();
  const isLost = useConnectionLost();
  return (
    <span role="status">
      {isLost ? (
        <span className={styles['pill']} data-tone="failed" data-tip={explained}>
          <Icon of={DisconnectOutlined} />
          <span aria-hidden className={styles['words']}>
            Connection lost
          </span>
          <span className="visually-hidden">Connection lost. {explained}</span>
        </span>
      ) : null}
    </span>
  );
}
