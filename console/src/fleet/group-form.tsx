/** The form of a group of machines: its name and its owner, a user or an email address. */

import { required } from '@patch/contract/form-rules/required-rules.ts';
import { email, shortText } from '@patch/contract/form-rules/text-rules.ts';
import type { MachineGroup } from '@patch/contract/machine-group-endpoints.ts';
import { usersEndpoint } from '@patch/contract/user-endpoints.ts';
import { useQuery } from '@tanstack/react-query';
import { Form } from 'antd';
import { callApi } from '../api/call-api.ts';
import { queryKeys } from '../api/query-keys.ts';
import { RuleForm } from '../forms/rule-form.tsx';
import { FormButtons, SelectField, TextField } from '../resources/form-fields.tsx';

const nobody = 'nobody';
const byAddress = 'address';

interface GroupInput {
  readonly name: string;
  /** A user's number as text, or one of the two words above. */
  readonly owner: string;
  readonly address: string;
}

export interface GroupValues {
  readonly name: string;
  readonly owner: { readonly userId: number } | { readonly address: string } | null;
}

const toValues = ({ name, owner, address }: GroupInput): GroupValues => ({
  name,
  owner: owner === nobody ? null : owner === byAddress ? { address } : { userId: Number(owner) },
});

function toInput(group: Pick<MachineGroup, 'name' | 'owner'> | null): GroupInput {
  const { userId = null, address = null } = group?.owner ?? {};
  const owner = address !== null ? byAddress : userId !== null ? String(userId) : nobody;
  return { name: group?.name ?? '', owner, address: address ?? '' };
}

interface GroupFormProps {
  /** Null for a new one. */
  readonly group: Pick<MachineGroup, 'name' | 'owner'> | null;
  readonly submit: string;
  readonly onSave: (values: GroupValues) => Promise<void>;
  readonly onCancel: () => void;
}

export function GroupForm({ group, submit, onSave, onCancel }: GroupFormProps) {
  return (
    <RuleForm<GroupInput>
      initialValues={toInput(group)}
      onSubmit={(input) => onSave(toValues(input))}
    >
      <TextField
        name="name"
        label="Name"
        rules={[required, shortText]}
        input={{ maxLength: 100 }}
      />
      <OwnerFields />
      <FormButtons submit={submit} onCancel={onCancel} />
    </RuleForm>
  );
}

function OwnerFields() {
  const owner = Form.useWatch<string | undefined>('owner');
  const users = useQuery({
    queryKey: queryKeys.users.page({ keyword: '', sort: 'name', page: 1, size: 1000 }),
    queryFn: ({ signal }) =>
      callApi(usersEndpoint, {
        query: { offset: '0', size: '1000', sort: 'name' },
        body: { keyword: '' },
        signal,
      }),
    select: ({ objectList }) => objectList,
  });
  return (
    <>
      <SelectField
        name="owner"
        label="Owner"
        extra="Who looks after the machines."
        options={[
          { value: nobody, label: 'Nobody' },
          { value: byAddress, label: 'An email address' },
          ...(users.data ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
        select={{ loading: users.isPending, showSearch: true, optionFilterProp: 'label' }}
      />
      {owner === byAddress && (
        <TextField
          name="address"
          label="Email address"
          rules={[required, email]}
          input={{ maxLength: 320, inputMode: 'email' }}
        />
      )}
    </>
  );
}
