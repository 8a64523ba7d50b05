/** A channel in a drawer: its state, a test, its events, its secret and its deliveries. */
import type { Channel } from '@patch/contract/channel-endpoints.ts';
import { required } from '@patch/contract/form-rules/required-rules.ts';
import { shortText } from '@patch/contract/form-rules/text-rules.ts';
import { Drawer, Input } from 'antd';
import { useState } from 'react';
import { toast } from '../../api/toast.ts';
import { RuleField } from '../../forms/rule-field.tsx';
import { RuleForm } from '../../forms/rule-form.tsx';
import { SubmitButton } from '../../forms/submit-button.tsx';
import { useNarrow } from '../../theme/media-query.ts';
import { sizes } from '../../theme/tokens.ts';
import { Button } from '../../widgets/button.tsx';
import { ExactTime } from '../../widgets/time-ago.tsx';
import { ChannelDeliveries } from './channel-deliveries.tsx';
import { kindLabels } from './channel-labels.ts';
import { ChannelSecret } from './channel-secret.tsx';
import { ChannelState } from './channel-state.tsx';
import { ChannelTest } from './channel-test.tsx';
import styles from './channels.module.css';
import { EventsField } from './events-field.tsx';
import { useChannelActions, useRotateSecret } from './use-channels.ts';

interface ChannelDrawerProps {
  /** The drawer is closed while this is null. */
  readonly channel: Channel | null;
  readonly onClose: () => void;
}

export function ChannelDrawer({ channel, onClose }: ChannelDrawerProps) {
  const narrow = useNarrow();
  // The drawer shows the last channel while it slides out.
  const [last, setLast] = useState(channel);
  if (channel !== null && channel !== last) setLast(channel);
  const shown = channel ?? last;
  return (
    <Drawer
      open={channel !== null}
      onClose={onClose}
      size={narrow ? '100%' : sizes.drawer}
      styles={{ wrapper: { minWidth: narrow ? 0 : sizes.drawerLeast } }}
      destroyOnHidden
      title={shown === null ? null : `${kindLabels[shown.kind]}: ${shown.name}`}
    >
      {shown === null ? null : <Content key={shown.id} channel={shown} onClose={onClose} />}
    </Drawer>
  );
}

interface ContentProps {
  readonly channel: Channel;
  readonly onClose: () => void;
}

function Content({ channel, onClose }: ContentProps) {
  const { change, test, redeliver, remove } = useChannelActions(channel);
  const setEnabled = (enabled: boolean) =>
    change.mutate({ enabled }, { onError: (failure) => toast.failure(failure) });
  return (
    <>
      <p className={styles['address']}>
        <code>{channel.address}</code>
      </p>
      <ChannelState channel={channel} />
      <ChannelTest channel={channel} test={test} />
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
          <RuleField name="name" label="Name" rules={[required, shortText]}>
            <Input autoComplete="off" maxLength={200} />
          </RuleField>
          <EventsField />
          <SubmitButton>Save</SubmitButton>
        </RuleForm>
      </section>
      {channel.kind === 'webhook' ? <Secret channel={channel} /> : null}
      <ChannelDeliveries channel={channel} redeliver={redeliver} />
    </>
  );
}

function Secret({ channel }: { readonly channel: Channel }) {
  const [secret, setSecret] = useState<string>();
  const rotate = useRotateSecret(channel, setSecret);
  return (
    <section className={styles['part']} aria-label="Secret">
      <h3 className={styles['title']}>Secret</h3>
      {secret === undefined ? null : <ChannelSecret key={secret} secret={secret} />}
      {channel.formerSecretUntil === null ? null : (
        <p>
          The former secret signs too until <ExactTime value={channel.formerSecretUntil} />.
        </p>
      )}
      <Button onClick={() => void rotate()}>Replace secret…</Button>
    </section>
  );
}
