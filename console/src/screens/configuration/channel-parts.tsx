/** Words, state, events and secret of channels, for their list, their drawer and the dialog that adds one. */
import {
  type Channel,
  type ChannelKind,
  subscribableTypes,
} from '@patch/contract/operations/channel-endpoints.ts';
import type { EventType } from '@patch/contract/operations/event-endpoints.ts';
import { ChoicesField } from '../../resources/form-fields.tsx';
import rows from '../../widgets/row-list.module.css';
import { SecretOnce } from '../../widgets/secret-once.tsx';
import { TimeAgo } from '../../widgets/time-ago.tsx';

export const kindLabels: Readonly<Record<ChannelKind, string>> = {
  webhook: 'Webhook',
  teams: 'Teams',
  slack: 'Slack',
  ntfy: 'ntfy',
  gotify: 'Gotify',
};

const eventLabels: Readonly<Partial<Record<string, string>>> = {
  'machine.critical': 'A machine begins to miss critical records',
  'machine.overdue': 'A machine begins to have overdue records',
  'vulnerability.exploited': 'A CVE of a record becomes known exploited',
  'source.failed': 'A sync fails, after one that did not',
  'source.silent': 'A source falls silent',
  'quarantine.pending': 'A sync quarantines changes, which wait for a decision',
  'licence.ended': 'The licence of a client ends',
  'exception.ending': 'An exception ends within 7 days',
  'exception.ended': 'An exception has ended, and its record counts as missing again',
} satisfies Record<Exclude<EventType, 'view.records'>, string>;

/** The events that a channel receives by itself. */
export const EventsField = () => (
  <ChoicesField
    name="types"
    label="Events"
    choices={subscribableTypes.map((type) => [type, eventLabels[type] ?? type])}
    extra="Beside these, alerts of saved views can send to the channel."
  />
);

/** Says whether a channel is on, when it last delivered, and why it does not. */
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

/** Shows the secret of a webhook once. */
export const ChannelSecret = ({ secret }: { readonly secret: string }) => (
  <SecretOnce
    secret={secret}
    what="secret"
    title="Copy the secret now: it is not shown again."
    description="The receiver verifies the signatures of deliveries with it."
  />
);
