/** The form of the password policy. */

import type { PasswordPolicy } from '@patch/contract/form-rules/password-rules.ts';
import { required } from '@patch/contract/form-rules/required-rules.ts';
import { savePasswordPolicyEndpoint } from '@patch/contract/settings-endpoints.ts';
import { useQueryClient } from '@tanstack/react-query';
import { InputNumber } from 'antd';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { toast } from '../../api/toast.ts';
import { RuleField } from '../../forms/rule-field.tsx';
import { RuleForm } from '../../forms/rule-form.tsx';
import { SubmitButton } from '../../forms/submit-button.tsx';
import { UnsavedMark } from '../../forms/unsaved-mark.tsx';
import { CheckBox } from '../../widgets/check-box.tsx';
import styles from './configuration-screen.module.css';
import { unsavedSettings } from './settings-forms.tsx';

const characterRules = [
  ['enableMixCase', 'Lower and upper case'],
  ['enableAlphabetAndNumber', 'Letters and digits'],
  ['enableSpecialChar', 'A special character'],
] as const;

export function PolicyForm({ policy }: { readonly policy: PasswordPolicy }) {
  const queries = useQueryClient();
  async function save(entered: PasswordPolicy): Promise<void> {
    await callApi(savePasswordPolicyEndpoint, { body: entered });
    toast.success('Password policy saved');
    await queries.invalidateQueries({ queryKey: queryKeys.settings.all() });
    await queries.invalidateQueries({ queryKey: queryKeys.passwords.policy() });
  }
  return (
    <RuleForm<PasswordPolicy> initialValues={policy} unsaved={unsavedSettings} onSubmit={save}>
      <div className={styles['pair']}>
        <RuleField name="minLength" label="At least" rules={[required]}>
          <InputNumber
            className={styles['number'] ?? ''}
            min={8}
            max={64}
            precision={0}
            suffix="characters"
            controls={false}
          />
        </RuleField>
      </div>
      <div className={styles['boxes']}>
        {characterRules.map(([name, words]) => (
          <RuleField key={name} name={name} valuePropName="checked" isChoice>
            <CheckBox>{words}</CheckBox>
          </RuleField>
        ))}
      </div>
      <div className={styles['buttons']}>
        <SubmitButton whenChanged>Save</SubmitButton>
        <UnsavedMark />
      </div>
    </RuleForm>
  );
}
