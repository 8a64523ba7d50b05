/** Says whether a channel is on, when it last delivered, and why it does not. */
import type { Channel } from '@patch/contract/channel-endpoints.ts';
import rows from '../../widgets/row-list.module.css';
import { TimeAgo } from '../../widgets/time-ago.tsx';

export function ChannelState({ channel }: { readonly channel: Channel }) {
  const { enabled, problem, failingSince, deliveredAt } = channel;
  return (
    <>
      {enabled && failingSince === null ? null : (
        <p className={rows['late']}>
          {enabled && failingSince !== null ? (
            <>
              Fails since <TimeAgo value={failingSince} />
            </>
          ) : (
            'Switched off'
          )}
          {problem === '' ? '' : `: ${problem}`}
        </p>
      )}
      <p className={rows['quiet']}>
        {deliveredAt === null ? (
          'nothing delivered yet'
        ) : (
          <>
            last delivered <TimeAgo value={deliveredAt} />
          </>
        )}
      </p>
    </>
  );
}
