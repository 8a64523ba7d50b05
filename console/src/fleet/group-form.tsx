/** The form of a group of machines: its name, its owner, a user or an email address, and until when missing records are due. */

import { type DuePolicy, defaultDuePolicy } from '@patch/catalogue/fleet/due-date.ts';
import { maxValue, minValue } from '@patch/contract/form-rules/number-rules.ts';
import { required } from '@patch/contract/form-rules/required-rules.ts';
import { email, shortText } from '@patch/contract/form-rules/text-rules.ts';
import {
  type MachineGroup,
  maxDueDays,
  minDueDays,
} from '@patch/contract/machine-group-endpoints.ts';
import { usersEndpoint } from '@patch/contract/user-endpoints.ts';
import { useQuery } from '@tanstack/react-query';
import { Form } from 'antd';
import { callApi } from '../api/call-api.ts';
import { queryKeys } from '../api/query-keys.ts';
import { RuleForm } from '../forms/rule-form.tsx';
import {
  CheckField,
  FormButtons,
  NumberField,
  SelectField,
  TextField,
} from '../resources/form-fields.tsx';

import { policyWords } from './due-words.ts';

const nobody = 'nobody';
const byAddress = 'address';

interface GroupInput extends DuePolicy {
  readonly name: string;
  /** A user's number as text, or one of the two words above. */
  readonly owner: string;
  readonly address: string;
  readonly due: 'default' | 'own';
}

export interface GroupValues {
  readonly name: string;
  readonly owner: { readonly userId: number } | { readonly address: string } | null;
  readonly duePolicy: DuePolicy | null;
}

type EditedGroup = Pick<MachineGroup, 'name' | 'owner' | 'duePolicy'>;

const toValues = ({ name, owner, address, due, ...days }: GroupInput): GroupValues => ({
  name,
  duePolicy: due === 'own' ? days : null,
  owner: owner === nobody ? null : owner === byAddress ? { address } : { userId: Number(owner) },
});

function toInput(group: EditedGroup | null): GroupInput {
  const { userId = null, address = null } = group?.owner ?? {};
  const owner = address !== null ? byAddress : userId !== null ? String(userId) : nobody;
  const duePolicy = group?.duePolicy ?? null;
  return {
    name: group?.name ?? '',
    owner,
    address: address ?? '',
    due: duePolicy === null ? 'default' : 'own',
    ...(duePolicy ?? defaultDuePolicy),
  };
}

interface GroupFormProps {
  /** Null for a new one. */
  readonly group: EditedGroup | null;
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
      <DueFields />
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

const dayFields = [
  [
    'exploited',
    'Known exploited',
    'After CISA added it, or after its release where that is later.',
  ],
  ['serious', 'Critical and important', 'After the release.'],
  ['others', 'The rest', 'After the release.'],
] as const;

/** Days until missing records are due, within the limits of the contract. */
function DueFields() {
  const isOwn = Form.useWatch<string | undefined>('due') === 'own';
  return (
    <>
      <SelectField
        name="due"
        label="Due dates"
        extra={
          isOwn
            ? 'A machine in several groups has the earliest date of all; groups without due dates of their own count with the default.'
            : `Missing records are due: ${policyWords(null)}.`
        }
        options={[
          { value: 'default', label: 'By default' },
          { value: 'own', label: 'Of this group' },
        ]}
      />
      {isOwn && (
        <>
          <CheckField name="cisa">On CISA’s date, where it states one</CheckField>
          {dayFields.map(([name, label, extra]) => (
            <NumberField
              key={name}
              name={name}
              label={label}
              extra={extra}
              rules={[required, minValue(minDueDays), maxValue(maxDueDays)]}
              input={{ suffix: 'days' }}
            />
          ))}
        </>
      )}
    </>
  );
}
