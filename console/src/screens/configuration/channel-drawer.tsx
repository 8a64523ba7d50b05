/** A channel in a drawer: its state, a test, its events, its secret and its last deliveries. */

import { required } from '@patch/contract/form-rules/required-rules.ts';
import { shortText } from '@patch/contract/form-rules/text-rules.ts';
import {
  type Channel,
  type ChannelDelivery,
  shownDeliveries,
} from '@patch/contract/operations/channel-endpoints.ts';
import { type ReactNode, useState } from 'react';
import { toast } from '../../api/toast.ts';
import { RuleForm } from '../../forms/rule-form.tsx';
import { SubmitButton } from '../../forms/submit-button.tsx';
import { DeliveryList } from '../../resources/delivery-list.tsx';
import { TextField } from '../../resources/form-fields.tsx';
import { Loaded } from '../../resources/loaded.tsx';
import { SideDrawer, useLastShown } from '../../resources/side-drawer.tsx';
import { Button } from '../../widgets/button.tsx';
import { Notice } from '../../widgets/notice.tsx';
import { ExactTime } from '../../widgets/time-ago.tsx';
import { ChannelSecret, ChannelState, EventsField, kindLabels } from './channel-parts.tsx';
import styles from './channels.module.css';
import { findTest, useChannelActions, useDeliveries, useRotateSecret } from './use-channels.ts';

interface ChannelDrawerProps {
  /** The drawer is closed while this is null. */
  readonly channel: Channel | null;
  readonly onClose: () => void;
}

export function ChannelDrawer({ channel, onClose }: ChannelDrawerProps) {
  const shown = useLastShown(channel);
  return (
    <SideDrawer
      open={channel !== null}
      onClose={onClose}
      mask={{ closable: true }}
      title={shown === null ? null : `${kindLabels[shown.kind]}: ${shown.name}`}
    >
      {shown === null ? null : <Content key={shown.id} channel={shown} onClose={onClose} />}
    </SideDrawer>
  );
}

interface ContentProps {
  readonly channel: Channel;
  readonly onClose: () => void;
}

function Content({ channel, onClose }: ContentProps) {
  const actions = useChannelActions(channel);
  const { change, remove } = actions;
  const setEnabled = (enabled: boolean) =>
    change.mutate({ enabled }, { onError: (failure) => toast.failure(failure) });
  return (
    <>
      <p className={styles['address']}>
        <code>{channel.address}</code>
      </p>
      <ChannelState channel={channel} />
      <ChannelTest channel={channel} test={actions.test} />
      <div className={`${styles['buttons'] ?? ''} ${styles['outcome'] ?? ''}`}>
        <Button loading={change.isPending} onClick={() => setEnabled(!channel.enabled)}>
          {channel.enabled ? 'Switch off' : 'Switch on'}
        </Button>
        <Button danger onClick={() => void remove().then((removed) => removed && onClose())}>
          Remove
        </Button>
      </div>
      <section className={styles['part']} aria-label="Settings">
        <RuleForm<Pick<Channel, 'name' | 'types'>>
          name="channel"
          initialValues={{ name: channel.name, types: channel.types }}
          fieldErrors={{ name_taken: 'name' }}
          onSubmit={({ name, types }) => change.mutateAsync({ name, types })}
        >
          <TextField
            name="name"
            label="Name"
            rules={[required, shortText]}
            input={{ maxLength: 200 }}
          />
          <EventsField />
          <SubmitButton>Save</SubmitButton>
        </RuleForm>
      </section>
      {channel.kind === 'webhook' ? <Secret channel={channel} /> : null}
      <Deliveries channel={channel} redeliver={actions.redeliver} />
    </>
  );
}

interface PartProps {
  readonly label: string;
  readonly title: string;
  readonly children: ReactNode;
}

const Part = ({ label, title, children }: PartProps) => (
  <section className={styles['part']} aria-label={label}>
    <h3 className={styles['title']}>{title}</h3>
    {children}
  </section>
);

function Secret({ channel }: { readonly channel: Channel }) {
  const [secret, setSecret] = useState<string>();
  const rotate = useRotateSecret(channel, setSecret);
  return (
    <Part label="Secret" title="Secret">
      {secret === undefined ? null : <ChannelSecret key={secret} secret={secret} />}
      {channel.formerSecretUntil === null ? null : (
        <p>
          The former secret signs too until <ExactTime value={channel.formerSecretUntil} />.
        </p>
      )}
      <Button onClick={() => void rotate()}>Replace secret…</Button>
    </Part>
  );
}

type Actions = ReturnType<typeof useChannelActions>;

/** Sends a test event and shows its delivery. */
function ChannelTest({ channel, test }: Pick<ContentProps, 'channel'> & Pick<Actions, 'test'>) {
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

type DeliveriesProps = Pick<ContentProps, 'channel'> & Pick<Actions, 'redeliver'>;

/** Each of the last deliveries can be sent again. */
function Deliveries({ channel, redeliver }: DeliveriesProps) {
  return (
    <Part label="Deliveries" title={`Last ${shownDeliveries} deliveries`}>
      <Loaded query={useDeliveries(channel.id)} what="deliveries" rows={4}>
        {(deliveries) =>
          deliveries.length === 0 ? (
            <p>No deliveries yet.</p>
          ) : (
            <DeliveryList
              deliveries={deliveries}
              title={({ title }) => title}
              action={({ id, state, title }) =>
                state === 'queued' || !channel.enabled ? null : (
                  <Button small onClick={() => redeliver.mutate(id)}>
                    Send again<span className="visually-hidden">: {title}</span>
                  </Button>
                )
              }
            />
          )
        }
      </Loaded>
    </Part>
  );
}
