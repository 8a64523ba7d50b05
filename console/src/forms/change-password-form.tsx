/** Changes the user's own password. Success ends all their sessions, so they sign in again with the new one. */

import { ownApiKeysEndpoint } from '@patch/contract/accounts/api-key-endpoints.ts';
import {
  changePasswordEndpoint,
  passwordPolicyEndpoint,
} from '@patch/contract/accounts/sign-in-endpoints.ts';
import { password } from '@patch/contract/form-rules/password-rule.ts';
import { required } from '@patch/contract/form-rules/required-rules.ts';
import { confirmed } from '@patch/contract/form-rules/text-rules.ts';
import { useQuery } from '@tanstack/react-query';
import { Form } from 'antd';
import type { ReactNode } from 'react';
import { callApi } from '../api/call-api.ts';
import { queryKeys } from '../api/query-keys.ts';
import { session, signOut } from '../api/session.ts';
import { toast } from '../api/toast.ts';
import styles from './change-password-form.module.css';
import { EndKeysField } from './end-keys-field.tsx';
import { PasswordField } from './password-field.tsx';
import { PasswordRuleList } from './password-rule-list.tsx';
import { RuleField } from './rule-field.tsx';
import { RuleForm } from './rule-form.tsx';
import { SubmitButton } from './submit-button.tsx';

interface PasswordChange {
  readonly oldPassword: string;
  readonly newPassword: string;
  readonly confirmPassword: string;
  readonly endApiKeys?: boolean;
}

export interface ChangePasswordFormProps {
  readonly submitLabel?: string;
  /** Inputs start read-only, as in the drawer that opens over other work. */
  readonly lockedUntilFocus?: boolean;
  /** Shown beside the submit button. */
  readonly cancel: ReactNode;
  /** Called before the user is signed out. */
  readonly onChanged?: () => void;
}

const fieldErrors = {
  wrong_password: 'oldPassword',
  same_password: 'newPassword',
  weak_password: 'newPassword',
  guessable_password: 'newPassword',
} as const;

export function ChangePasswordForm({
  submitLabel = 'Update',
  lockedUntilFocus = false,
  cancel,
  onChanged,
}: ChangePasswordFormProps) {
  const [form] = Form.useForm<PasswordChange>();
  const newPassword = Form.useWatch('newPassword', form) ?? '';
  const { data: policy } = useQuery({
    queryKey: queryKeys.passwords.policy(),
    queryFn: ({ signal }) => callApi(passwordPolicyEndpoint, { signal }),
  });

  const { data: { objList: keys } = { objList: [] } } = useQuery({
    queryKey: queryKeys.apiKeys.toEndWithPassword(),
    queryFn: ({ signal }) => callApi(ownApiKeysEndpoint, { signal }),
    // Until the password is changed, the server refuses other calls of this user.
    enabled: session().user?.mustChangePassword !== true,
  });

  async function change({
    oldPassword,
    newPassword: newPasswordValue,
    endApiKeys,
  }: PasswordChange): Promise<void> {
    const { message } = await callApi(changePasswordEndpoint, {
      body: { oldPassword, newPassword: newPasswordValue, ...(endApiKeys && { endApiKeys }) },
    });
    form.resetFields();
    onChanged?.();
    toast.success(message);
    signOut('asked');
  }

  return (
    <RuleForm form={form} onSubmit={change} fieldErrors={fieldErrors}>
      <RuleField name="oldPassword" label="Current password" rules={[required]}>
        <PasswordField autoComplete="current-password" lockedUntilFocus={lockedUntilFocus} />
      </RuleField>
      <RuleField
        name="newPassword"
        label="New password"
        rules={policy === undefined ? [required] : [required, password(policy)]}
      >
        <PasswordField autoComplete="new-password" lockedUntilFocus={lockedUntilFocus} />
      </RuleField>
      {policy === undefined ? null : <PasswordRuleList policy={policy} password={newPassword} />}
      <RuleField
        name="confirmPassword"
        label="Confirm password"
        dependsOn={['newPassword']}
        // Validation reads the form, because a keystroke reaches it before it is rendered.
        rules={[required, confirmed(() => form.getFieldValue('newPassword') as string)]}
      >
        <PasswordField autoComplete="new-password" lockedUntilFocus={lockedUntilFocus} />
      </RuleField>
      {keys.length === 0 ? null : <EndKeysField names={keys.map(({ name }) => name)} />}
      <div className={styles['buttons']}>
        <SubmitButton>{submitLabel}</SubmitButton>
        {cancel}
      </div>
    </RuleForm>
  );
}
