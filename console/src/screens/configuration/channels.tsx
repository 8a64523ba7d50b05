/** The channels, each with its state, and a button to add one. */
import type { Channel } from '@patch/contract/channel-endpoints.ts';
import { maxChannels } from '@patch/contract/channel-endpoints.ts';
import { useState } from 'react';
import { Button } from '../../widgets/button.tsx';
import { LoadFailure } from '../../widgets/load-failure.tsx';
import rows from '../../widgets/row-list.module.css';
import { Skeleton } from '../../widgets/skeleton.tsx';
import { ChannelDrawer } from './channel-drawer.tsx';
import { kindLabels } from './channel-labels.ts';
import { ChannelState } from './channel-state.tsx';
import { NewChannel } from './new-channel.tsx';
import { useChannels } from './use-channels.ts';

export function Channels() {
  const channels = useChannels();
  const [adding, setAdding] = useState(false);
  const [opened, setOpened] = useState<number | null>(null);
  if (channels.isPending) return <Skeleton rows={3} />;
  if (channels.data === undefined)
    return (
      <LoadFailure
        what="channels"
        failure={channels.error}
        onReload={() => void channels.refetch()}
      />
    );
  const { data } = channels;
  return (
    <div>
      {data.length === 0 ? (
        <p className={rows['quiet']}>No channels yet.</p>
      ) : (
        <ul className={rows['list']} aria-label="Channels">
          {data.map((channel) => (
            <Row key={channel.id} channel={channel} onOpen={() => setOpened(channel.id)} />
          ))}
        </ul>
      )}
      <Button disabled={data.length >= maxChannels} onClick={() => setAdding(true)}>
        Add channel…
      </Button>
      {adding && <NewChannel onClose={() => setAdding(false)} />}
      <ChannelDrawer
        channel={data.find(({ id }) => id === opened) ?? null}
        onClose={() => setOpened(null)}
      />
    </div>
  );
}

function Row({ channel, onOpen }: { readonly channel: Channel; readonly onOpen: () => void }) {
  return (
    <li className={rows['row']}>
      <div className={rows['words']}>
        <strong>{channel.name}</strong>{' '}
        <span className={rows['quiet']}>{kindLabels[channel.kind]}</span>
        <p className={rows['scopes']}>{channel.address}</p>
        <ChannelState channel={channel} />
      </div>
      <Button small onClick={onOpen}>
        Open<span className="visually-hidden"> the channel {channel.name}</span>
      </Button>
    </li>
  );
}
