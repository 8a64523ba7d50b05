/** The form of a group of machines: its name, its owner, a user or an email address, and until when missing records are due. */

import { type DuePolicy, defaultDuePolicy } from '@patch/catalogue/fleet/due-date.ts';
import {
  type MachineGroup,
  maxDueDays,
  minDueDays,
} from '@patch/contract/fleet/machine-group-endpoints.ts';
import { maxValue, minValue } from '@patch/contract/form-rules/number-rules.ts';
import { required } from '@patch/contract/form-rules/required-rules.ts';
import { shortText } from '@patch/contract/form-rules/text-rules.ts';
import { Form } from 'antd';
import { RuleForm } from '../forms/rule-form.tsx';
import {
  CheckField,
  FormButtons,
  NumberField,
  SelectField,
  TextField,
} from '../resources/form-fields.tsx';
import { policyWords } from './due-words.ts';
import {
  type ChosenOwner,
  OwnerFields,
  type OwnerInput,
  toOwner,
  toOwnerInput,
} from './owner-fields.tsx';

interface GroupInput extends DuePolicy, OwnerInput {
  readonly name: string;
  readonly due: 'default' | 'own';
}

export interface GroupValues {
  readonly name: string;
  readonly owner: ChosenOwner | null;
  readonly duePolicy: DuePolicy | null;
}

type EditedGroup = Pick<MachineGroup, 'name' | 'owner' | 'duePolicy'>;

const toValues = ({ name, owner, address, due, ...days }: GroupInput): GroupValues => ({
  name,
  duePolicy: due === 'own' ? days : null,
  owner: toOwner({ owner, address }),
});

function toInput(group: EditedGroup | null): GroupInput {
  const duePolicy = group?.duePolicy ?? null;
  return {
    name: group?.name ?? '',
    ...toOwnerInput(group?.owner ?? null),
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
      <OwnerFields extra="Who looks after the machines." />
      <DueFields />
      <FormButtons submit={submit} onCancel={onCancel} />
    </RuleForm>
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
