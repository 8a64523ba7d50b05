/** Button that sends a test event, and what became of it. */
import type { Channel, ChannelDelivery } from '@patch/contract/channel-endpoints.ts';
import { channelTestType } from '@patch/contract/event-endpoints.ts';
import { useState } from 'react';
import { Button } from '../../widgets/button.tsx';
import { Notice } from '../../widgets/notice.tsx';
import styles from './channels.module.css';
import { type useChannelActions, useDeliveries } from './use-channels.ts';

interface ChannelTestProps {
  readonly channel: Channel;
  readonly test: ReturnType<typeof useChannelActions>['test'];
}

export function ChannelTest({ channel, test }: ChannelTestProps) {
  const deliveries = useDeliveries(channel.id);
  /** The newest delivery before the test; undefined before a test. */
  const [before, setBefore] = useState<number>();
  const sent =
    before === undefined
      ? undefined
      : deliveries.data?.find(({ id, type }) => type === channelTestType && id > before);
  const isWaiting =
    test.isPending || (test.isSuccess && (sent === undefined || sent.state === 'queued'));
  return (
    <div className={styles['outcome']}>
      <Button
        loading={isWaiting}
        disabled={!channel.enabled}
        onClick={() => {
          setBefore(Math.max(0, ...(deliveries.data ?? []).map(({ id }) => id)));
          test.mutate();
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
