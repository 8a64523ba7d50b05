/** Deliveries of emails or of a channel: sent, waiting for a retry, or failed with the reason. */
import type { ReactNode } from 'react';
import { type ColourName, colour } from '../theme/tokens.ts';
import { TimeAgo } from '../widgets/time-ago.tsx';
import styles from './delivery-list.module.css';

interface Delivery {
  readonly id: number;
  readonly state: 'queued' | 'sent' | 'failed';
  readonly attempts: number;
  /** Empty without an error. */
  readonly lastError: string;
  readonly queuedAt: number;
  readonly endedAt: number | null;
}

interface DeliveryListProps<Item extends Delivery> {
  readonly deliveries: readonly Item[];
  readonly title: (delivery: Item) => string;
  /** Replaces the time at the end of the row, which then follows the title. */
  readonly action?: (delivery: Item) => ReactNode;
}

const looks: Readonly<Record<Delivery['state'], readonly [word: string, colour: ColourName]>> = {
  queued: ['Waiting', 'warning'],
  sent: ['Sent', 'success'],
  failed: ['Given up', 'danger'],
};

export function DeliveryList<Item extends Delivery>(props: DeliveryListProps<Item>) {
  const { deliveries, title, action } = props;
  return (
    <ul className={styles['deliveries']}>
      {deliveries.map((delivery) => {
        const { id, state, attempts, lastError, queuedAt, endedAt } = delivery;
        const [word, colourName] = looks[state];
        const time = (
          <p>
            <TimeAgo value={endedAt ?? queuedAt} />
          </p>
        );
        return (
          <li key={id} className={styles['delivery']}>
            <strong style={{ color: colour(colourName) }}>{word}</strong>
            <div>
              {title(delivery)}
              {lastError === '' ? null : (
                <p>
                  {attempts === 1 ? 'Tried once' : `Tried ${attempts} times`}: {lastError}
                </p>
              )}
              {action === undefined ? null : time}
            </div>
            {action === undefined ? time : action(delivery)}
          </li>
        );
      })}
    </ul>
  );
}
