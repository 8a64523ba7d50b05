/** The form of a rule that makes checkpoints: when, and how many it keeps. */

import { maxValue, minValue } from '@patch/contract/form-rules/number-rules.ts';
import { required } from '@patch/contract/form-rules/required-rules.ts';
import {
  type CheckpointRule,
  changeCheckpointRuleEndpoint,
  createCheckpointRuleEndpoint,
  maxKeep,
  maxRuleName,
  minKeep,
  weekdays,
} from '@patch/contract/licensing/checkpoint-rule-endpoints.ts';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { timeZone } from '../../api/session.ts';
import { RuleForm } from '../../forms/rule-form.tsx';
import {
  FormButtons,
  hourOptions,
  NumberField,
  SelectField,
  TextField,
} from '../../resources/form-fields.tsx';
import { listTimeZones } from '../../resources/time-zone-options.ts';
import { weekLabels } from './rule-words.ts';
import { useSaved } from './use-saved.ts';

interface RuleInput
  extends Pick<CheckpointRule, 'name' | 'weekday' | 'hour' | 'timeZone' | 'keep'> {
  /** 0: each week. */
  readonly week: number;
}

/** The second Tuesday, on which Microsoft releases, at an hour of the evening in Europe. */
const defaultRule = { name: '', week: 2, weekday: 'Tuesday', hour: 20, keep: 6 } as const;

interface CheckpointRuleFormProps {
  /** Null for a new one. */
  readonly rule: CheckpointRule | null;
  readonly onClose: () => void;
}

export function CheckpointRuleForm({ rule, onClose }: CheckpointRuleFormProps) {
  const saved = useSaved(onClose);
  const initial = rule ?? { ...defaultRule, timeZone: timeZone() };
  return (
    <RuleForm<RuleInput>
      initialValues={{ ...initial, week: initial.week ?? 0 }}
      fieldErrors={{ name_taken: 'name', rule_keeps_too_few: 'keep' }}
      onSubmit={async ({ week, name, weekday, hour, timeZone: zone, keep }) => {
        const values = { name, weekday, hour, timeZone: zone, keep };
        const body = { ...values, week: week === 0 ? null : week };
        await (rule === null
          ? callApi(createCheckpointRuleEndpoint, { body })
          : callApi(changeCheckpointRuleEndpoint, { params: { id: String(rule.id) }, body }));
        await saved(`Rule ${name} is saved.`, queryKeys.checkpoints.rules(), queryKeys.rings.all());
      }}
    >
      <TextField
        name="name"
        label="Name"
        extra="Its checkpoints are named after it and the date."
        rules={[required]}
        input={{ maxLength: maxRuleName }}
      />
      <SelectField
        name="week"
        label="Week"
        options={weekLabels.map((label, value) => ({
          value,
          label: value === 0 ? 'Each week' : `${label} of each month`,
        }))}
      />
      <SelectField
        name="weekday"
        label="Weekday"
        options={weekdays.map((value) => ({ value, label: value }))}
      />
      <SelectField name="hour" label="At" options={hourOptions} />
      <SelectField
        name="timeZone"
        label="Time zone"
        options={listTimeZones(initial.timeZone)}
        select={{ showSearch: true }}
      />
      <NumberField
        name="keep"
        label="Checkpoints to keep"
        extra="The newest. One that a ring is on is never removed."
        rules={[required, minValue(minKeep), maxValue(maxKeep)]}
        input={{}}
      />
      <FormButtons submit="Save rule" onCancel={onClose} />
    </RuleForm>
  );
}
