/** The last deliveries of a channel, each of which can be sent again. */
import {
  type Channel,
  type ChannelDelivery,
  shownDeliveries,
} from '@patch/contract/channel-endpoints.ts';
import { type ColourName, colour } from '../../theme/tokens.ts';
import { Button } from '../../widgets/button.tsx';
import { LoadFailure } from '../../widgets/load-failure.tsx';
import { Skeleton } from '../../widgets/skeleton.tsx';
import { TimeAgo } from '../../widgets/time-ago.tsx';
import styles from './channels.module.css';
import { type useChannelActions, useDeliveries } from './use-channels.ts';

interface ChannelDeliveriesProps {
  readonly channel: Channel;
  readonly redeliver: ReturnType<typeof useChannelActions>['redeliver'];
}

const looks: Readonly<
  Record<ChannelDelivery['state'], { readonly word: string; readonly colour: ColourName }>
> = {
  queued: { word: 'Waiting', colour: 'warning' },
  sent: { word: 'Sent', colour: 'success' },
  failed: { word: 'Given up', colour: 'danger' },
};

export function ChannelDeliveries(props: ChannelDeliveriesProps) {
  return (
    <section className={styles['part']} aria-label="Deliveries">
      <h3 className={styles['title']}>Last {shownDeliveries} deliveries</h3>
      <Deliveries {...props} />
    </section>
  );
}

function Deliveries({ channel, redeliver }: ChannelDeliveriesProps) {
  const deliveries = useDeliveries(channel.id);
  if (deliveries.isPending) return <Skeleton rows={4} />;
  if (deliveries.data === undefined)
    return (
      <LoadFailure
        what="deliveries"
        failure={deliveries.error}
        onReload={() => void deliveries.refetch()}
      />
    );
  if (deliveries.data.length === 0) return <p>No deliveries yet.</p>;
  return (
    <ul className={styles['deliveries']}>
      {deliveries.data.map(({ id, title, state, attempts, lastError, queuedAt, endedAt }) => (
        <li key={id} className={styles['delivery']}>
          <strong style={{ color: colour(looks[state].colour) }}>{looks[state].word}</strong>
          <div>
            {title}
            {lastError === '' ? null : (
              <p>
                {attempts === 1 ? 'Tried once' : `Tried ${attempts} times`}: {lastError}
              </p>
            )}
            <p>
              <TimeAgo value={endedAt ?? queuedAt} />
            </p>
          </div>
          {state === 'queued' || !channel.enabled ? null : (
            <Button small onClick={() => redeliver.mutate(id)}>
              Send again<span className="visually-hidden">: {title}</span>
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
