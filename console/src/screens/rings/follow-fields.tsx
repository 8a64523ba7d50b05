/** The fields of a ring that say which rule it follows, and after how many days. */

import { maxValue, minValue } from '@patch/contract/form-rules/number-rules.ts';
import { required } from '@patch/contract/form-rules/required-rules.ts';
import {
  type CheckpointRule,
  longestAfterDays,
} from '@patch/contract/licensing/checkpoint-rule-endpoints.ts';
import type { Ring } from '@patch/contract/licensing/ring-endpoints.ts';
import { Form } from 'antd';
import { NumberField, SelectField } from '../../resources/form-fields.tsx';

/** The choice of rings that follow no rule. */
const byHand = 0;
const defaultAfterDays = 7;

export interface FollowInput {
  readonly rule: number;
  readonly afterDays: number;
}

export const toFollowInput = (follows: Ring['follows']): FollowInput => ({
  rule: follows?.rule.id ?? byHand,
  afterDays: follows?.afterDays ?? defaultAfterDays,
});

/** Fields that are not shown have no value. */
export const toFollows = ({ rule, afterDays = defaultAfterDays }: Partial<FollowInput>) =>
  rule === undefined ? {} : { follows: rule === byHand ? null : { rule, afterDays } };

export function FollowFields({ rules }: { readonly rules: readonly CheckpointRule[] }) {
  const chosen = Form.useWatch<number | undefined>('rule');
  const rule = rules.find(({ id }) => id === chosen);
  return (
    <>
      <SelectField
        name="rule"
        label="Follows"
        options={[
          { value: byHand, label: 'No rule: promoted by hand' },
          ...rules.map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
      {rule !== undefined && (
        <NumberField
          name="afterDays"
          label="After"
          extra="How old a checkpoint of the rule is when the ring moves to it. The ring never moves back by itself."
          rules={[required, minValue(0), maxValue(longestAfterDays(rule))]}
          input={{ suffix: 'days' }}
        />
      )}
    </>
  );
}
