/** Dialog that adds a channel, and shows the secret of a webhook once. */
import {
  type ChannelKind,
  channelKinds,
  createChannelEndpoint,
} from '@patch/contract/channel-endpoints.ts';
import { required } from '@patch/contract/form-rules/required-rules.ts';
import { shortText } from '@patch/contract/form-rules/text-rules.ts';
import { useQueryClient } from '@tanstack/react-query';
import { Form, Input, Modal, Select } from 'antd';
import { useState } from 'react';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { toast } from '../../api/toast.ts';
import { RuleField } from '../../forms/rule-field.tsx';
import { RuleForm } from '../../forms/rule-form.tsx';
import { SubmitButton } from '../../forms/submit-button.tsx';
import { Button } from '../../widgets/button.tsx';
import { addressHints, kindLabels, tokenLabels } from './channel-labels.ts';
import { ChannelSecret } from './channel-secret.tsx';
import styles from './channels.module.css';
import { EventsField } from './events-field.tsx';

interface ChannelInput {
  readonly kind: ChannelKind;
  readonly name: string;
  readonly secretAddress: string;
  readonly token?: string;
  readonly types: string[];
}

const kinds = channelKinds.map((kind) => ({ value: kind, label: kindLabels[kind] }));

/** Refusals that concern one field. */
const fieldErrors = {
  channel_target: 'secretAddress',
  name_taken: 'name',
  secret_needed: 'token',
} as const;

export function NewChannel({ onClose }: { readonly onClose: () => void }) {
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
          <RuleField name="kind" label="Receiver" isChoice>
            <Select options={kinds} />
          </RuleField>
          <RuleField name="name" label="Name" rules={[required, shortText]}>
            <Input autoComplete="off" maxLength={200} />
          </RuleField>
          <RuleField
            name="secretAddress"
            label="Address"
            rules={[required]}
            extra={addressHints[kind]}
          >
            <Input autoComplete="off" inputMode="url" maxLength={2000} />
          </RuleField>
          {tokenLabel === undefined ? null : (
            <RuleField name="token" label={tokenLabel} rules={kind === 'gotify' ? [required] : []}>
              <Input.Password autoComplete="off" maxLength={200} />
            </RuleField>
          )}
          <EventsField />
          <div className={styles['buttons']}>
            <SubmitButton>Add channel</SubmitButton>
            <Button onClick={onClose}>Cancel</Button>
          </div>
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
