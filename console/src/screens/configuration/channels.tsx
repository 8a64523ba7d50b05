/** The channels, each with its state, and the dialog that adds one. */

import { required } from '@patch/contract/form-rules/required-rules.ts';
import { shortText } from '@patch/contract/form-rules/text-rules.ts';
import {
  type ChannelKind,
  createChannelEndpoint,
  maxChannels,
} from '@patch/contract/operations/channel-endpoints.ts';
import { useQueryClient } from '@tanstack/react-query';
import { Form, Input, Modal } from 'antd';
import { useState } from 'react';
import type { z } from 'zod';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { toast } from '../../api/toast.ts';
import { RuleField } from '../../forms/rule-field.tsx';
import { RuleForm } from '../../forms/rule-form.tsx';
import { FormButtons, SelectField, TextField, toOptions } from '../../resources/form-fields.tsx';
import { ResourceList, RowButton } from '../../resources/resource-list.tsx';
import { Button } from '../../widgets/button.tsx';
import rows from '../../widgets/row-list.module.css';
import { useReturnFocus } from '../../widgets/use-return-focus.ts';
import { ChannelDrawer } from './channel-drawer.tsx';
import { ChannelSecret, ChannelState, EventsField, kindLabels } from './channel-parts.tsx';
import { useChannels } from './use-channels.ts';

export function Channels() {
  const channels = useChannels();
  const [adding, setAdding] = useState(false);
  const [opened, setOpened] = useState<number | null>(null);
  const { data } = channels;
  return (
    <div>
      <ResourceList
        query={channels}
        what="channels"
        label="Channels"
        empty="No channels yet."
        action={({ id, name }) => (
          <RowButton label="Open" object={`the channel ${name}`} onClick={() => setOpened(id)} />
        )}
      >
        {(channel) => (
          <>
            <strong>{channel.name}</strong>{' '}
            <span className={rows['quiet']}>{kindLabels[channel.kind]}</span>
            <p className={rows['scopes']}>{channel.address}</p>
            <ChannelState channel={channel} />
          </>
        )}
      </ResourceList>
      {data === undefined ? null : (
        <Button disabled={data.length >= maxChannels} onClick={() => setAdding(true)}>
          Add channel…
        </Button>
      )}
      {adding && <NewChannel onClose={() => setAdding(false)} />}
      <ChannelDrawer
        channel={data?.find(({ id }) => id === opened) ?? null}
        onClose={() => setOpened(null)}
      />
    </div>
  );
}

type ChannelInput = z.input<typeof createChannelEndpoint.body>;

const addressHints: Readonly<Record<ChannelKind, string>> = {
  webhook: 'Any https address. Deliveries are signed by Standard Webhooks.',
  teams: 'The address of the workflow “Send webhook alerts to a channel”.',
  slack: 'The address of the incoming webhook: https://hooks.slack.com/services/…',
  ntfy: 'The address of the topic: https://ntfy.example.org/topic',
  gotify: 'The address of the server.',
};

/** Labels of tokens, for the kinds that have one. */
const tokenLabels: Readonly<Partial<Record<ChannelKind, string>>> = {
  ntfy: 'Access token, if the topic needs one',
  gotify: 'Token of the application',
};

/** Refusals that concern one field. */
const fieldErrors = {
  channel_target: 'secretAddress',
  name_taken: 'name',
  secret_needed: 'token',
} as const;

/** Dialog that adds a channel, and shows the secret of a webhook once. */
function NewChannel({ onClose }: { readonly onClose: () => void }) {
  useReturnFocus();
  const queries = useQueryClient();
  const [form] = Form.useForm<ChannelInput>();
  const kind = Form.useWatch('kind', form) ?? 'webhook';
  const [created, setCreated] = useState<{ readonly name: string; readonly secret: string }>();
  const tokenLabel = tokenLabels[kind];

  async function create({ token = '', ...input }: ChannelInput): Promise<void> {
    const body = { ...input, token: tokenLabel === undefined ? '' : token };
    const { channel, secret } = await callApi(createChannelEndpoint, { body });
    await queries.invalidateQueries({ queryKey: queryKeys.channels.all() });
    if (secret !== null) return setCreated({ name: channel.name, secret });
    toast.success(`The channel '${channel.name}' has been added.`);
    onClose();
  }
  return (
    <Modal
      open
      title={created === undefined ? 'New channel' : `The channel ${created.name}`}
      mask={{ closable: false }}
      footer={null}
      onCancel={onClose}
    >
      {created === undefined ? (
        <RuleForm<ChannelInput>
          name="new-channel"
          form={form}
          initialValues={{ kind: 'webhook', types: [] }}
          fieldErrors={fieldErrors}
          onSubmit={create}
        >
          <SelectField name="kind" label="Receiver" options={toOptions(kindLabels)} />
          <TextField
            name="name"
            label="Name"
            rules={[required, shortText]}
            input={{ maxLength: 200 }}
          />
          <TextField
            name="secretAddress"
            label="Address"
            rules={[required]}
            extra={addressHints[kind]}
            input={{ inputMode: 'url', maxLength: 2000 }}
          />
          {tokenLabel === undefined ? null : (
            <RuleField name="token" label={tokenLabel} rules={kind === 'gotify' ? [required] : []}>
              <Input.Password autoComplete="off" maxLength={200} />
            </RuleField>
          )}
          <EventsField />
          <FormButtons submit="Add channel" onCancel={onClose} />
        </RuleForm>
      ) : (
        <>
          <ChannelSecret secret={created.secret} />
          <Button look="primary" onClick={onClose}>
            Done
          </Button>
        </>
      )}
    </Modal>
  );
}
