/** Button that sends a test event and shows its delivery. */
import type { Channel, ChannelDelivery } from '@patch/contract/channel-endpoints.ts';
import { useState } from 'react';
import { Button } from '../../widgets/button.tsx';
import { Notice } from '../../widgets/notice.tsx';
import styles from './channels.module.css';
import { findTest, type useChannelActions, useDeliveries } from './use-channels.ts';

interface ChannelTestProps {
  readonly channel: Channel;
  readonly test: ReturnType<typeof useChannelActions>['test'];
}

export function ChannelTest({ channel, test }: ChannelTestProps) {
  /** The newest delivery before the test; undefined before a test. */
  const [before, setBefore] = useState<number>();
  const deliveries = useDeliveries(channel.id, before);
  const sent = before === undefined ? undefined : findTest(deliveries.data, before);
  const isWaiting =
    test.isPending || (test.isSuccess && (sent === undefined || sent.state === 'queued'));
  return (
    <div className={styles['outcome']}>
      <Button
        loading={isWaiting}
        disabled={!channel.enabled}
        onClick={() => {
          setBefore(Math.max(0, ...(deliveries.data ?? []).map(({ id }) => id)));
          test.mutate(undefined, { onError: () => setBefore(undefined) });
        }}
      >
        Send test
      </Button>
      {sent === undefined ? null : <Outcome delivery={sent} />}
    </div>
  );
}

function Outcome({ delivery: { state, lastError } }: { readonly delivery: ChannelDelivery }) {
  if (state === 'queued') return null;
  return (
    <Notice
      className={styles['outcome']}
      kind={state === 'sent' ? 'success' : 'error'}
      title={
        state === 'sent' ? 'The receiver accepted the test.' : 'The test could not be delivered.'
      }
      description={lastError === '' ? undefined : lastError}
    />
  );
}
