/** Fields for the recipients of an alert: addresses, and for administrators channels. */

import { tagsRule } from '@patch/contract/form-rules/tag-rules.ts';
import { channelsEndpoint } from '@patch/contract/operations/channel-endpoints.ts';
import { maxFurtherAddresses } from '@patch/contract/reports/alert-endpoints.ts';
import { useQuery } from '@tanstack/react-query';
import { Form } from 'antd';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { RuleField } from '../../forms/rule-field.tsx';
import { TagPicker } from '../../forms/tag-picker.tsx';
import { CheckField, SelectField } from '../../resources/form-fields.tsx';

interface AlertRecipientsProps {
  /** Email of the user; empty without one. */
  readonly email: string;
  /** Only administrators may choose further addresses and channels. */
  readonly mayAddOthers: boolean;
}

export function AlertRecipients({ email, mayAddOthers }: AlertRecipientsProps) {
  const form = Form.useFormInstance();
  const countOthers = () =>
    ['furtherAddresses', 'channels'].reduce(
      (sum, name) => sum + (form.getFieldValue(name) as readonly unknown[]).length,
      0,
    );
  const hasRecipient = (own: boolean | undefined) =>
    own === true || (mayAddOthers && countOthers() > 0)
      ? null
      : `An alert needs at least one address${mayAddOthers ? ' or channel' : ''}`;
  return (
    <>
      <CheckField
        name="ownAddress"
        rules={[hasRecipient]}
        dependsOn={mayAddOthers ? ['furtherAddresses', 'channels'] : []}
      >
        {email === '' ? 'To my address (none set)' : `To my address, ${email}`}
      </CheckField>
      {mayAddOthers ? (
        <>
          <RuleField
            name="furtherAddresses"
            label="CC"
            rules={[tagsRule('email', { alwaysText: true, most: maxFurtherAddresses })]}
          >
            <TagPicker label="CC" kind="email" alwaysText maxTags={maxFurtherAddresses} />
          </RuleField>
          <ChannelField />
        </>
      ) : null}
    </>
  );
}

function ChannelField() {
  const channels = useQuery({
    queryKey: queryKeys.channels.all(),
    queryFn: async ({ signal }) => (await callApi(channelsEndpoint, { signal })).objList,
  });
  const options = channels.data?.map(({ id, name, enabled }) => ({
    value: id,
    label: enabled ? name : `${name} (off)`,
  }));
  return (
    <SelectField
      name="channels"
      label="Channels"
      extra={
        options?.length === 0
          ? 'No channels yet. Add Teams, Slack or a webhook under Configuration.'
          : (channels.error?.message ?? 'In addition to the addresses, or instead of them.')
      }
      options={options ?? []}
      select={{
        mode: 'multiple',
        loading: channels.isPending,
        disabled: options === undefined || options.length === 0,
        optionFilterProp: 'label',
      }}
    />
  );
}
