/** Changes the own password. Success ends every session of the person, so they sign in again with the new one. */

import { formInvalid, formInvalidTitle } from '@patch/contract/form-rules/form-rule.ts';
import { password } from '@patch/contract/form-rules/password-rule.ts';
import { required } from '@patch/contract/form-rules/required-rules.ts';
import { confirmed } from '@patch/contract/form-rules/text-rules.ts';
import { changePasswordCall, passwordPolicyCall } from '@patch/contract/sign-in-calls.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Alert, Button, Form } from 'antd';
import type { ReactNode } from 'react';
import { CallFailed, makeCall } from '../api/make-call.ts';
import { signOut } from '../api/session.ts';
import { durations } from '../theme/tokens.ts';
import { toast } from '../widgets/toast.tsx';
import { antdRule } from './antd-rule.ts';
import styles from './change-password-form.module.css';
import { PasswordField } from './password-field.tsx';
import { PasswordRuleList } from './password-rule-list.tsx';

interface Entered {
  readonly oldPassword: string;
  readonly newPassword: string;
  readonly confirmPassword: string;
}

export interface ChangePasswordFormProps {
  readonly submitLabel?: string;
  /** The inputs start read-only, as in the drawer that opens over other work. */
  readonly lockedUntilFocus?: boolean;
  /** Beside the submit button. */
  readonly cancel: ReactNode;
  /** Before the person is signed out. */
  readonly onChanged?: () => void;
}

export function ChangePasswordForm({ submitLabel = 'Update', lockedUntilFocus = false, cancel, onChanged }: ChangePasswordFormProps) {
  const [form] = Form.useForm<Entered>();
  const newPassword = Form.useWatch('newPassword', form) ?? '';
  const policy = useQuery({ queryKey: ['password policy'], queryFn: ({ signal }) => makeCall(passwordPolicyCall, { signal }) });
  const change = useMutation({
    mutationFn: ({ oldPassword, newPassword: chosen }: Entered) =>
      makeCall(changePasswordCall, { body: { oldPassword, newPassword: chosen } }),
    meta: { quiet: true },
    onSuccess({ message }) {
      form.resetFields();
      onChanged?.();
      toast.success(message);
      signOut('asked');
    },
  });

  return (
    <Form
      form={form}
      layout="vertical"
      requiredMark={false}
      validateTrigger={['onChange', 'onBlur']}
      onFinish={(entered) => change.mutate(entered)}
      onFinishFailed={() => toast.error(formInvalidTitle, formInvalid)}
    >
      {change.error === null ? null : (
        <Alert
          className={styles['alert'] ?? ''}
          type="error"
          showIcon
          title={change.error instanceof CallFailed ? change.error.userMessage : change.error.message}
        />
      )}
      <Form.Item
        name="oldPassword"
        label="Current password"
        rules={[antdRule('Current password', required)]}
        validateDebounce={durations.formValidates}
      >
        <PasswordField autoComplete="current-password" lockedUntilFocus={lockedUntilFocus} />
      </Form.Item>
      <Form.Item
        name="newPassword"
        label="New password"
        rules={[
          antdRule('New password', required),
          ...(policy.data === undefined ? [] : [antdRule('New password', password(policy.data))]),
        ]}
        validateDebounce={durations.formValidates}
      >
        <PasswordField autoComplete="new-password" lockedUntilFocus={lockedUntilFocus} />
      </Form.Item>
      {policy.data === undefined ? null : <PasswordRuleList policy={policy.data} password={newPassword} />}
      <Form.Item
        name="confirmPassword"
        label="Confirm password"
        dependencies={['newPassword']}
        rules={[
          antdRule(
            'Confirm password',
            required,
            // Read when it is asked: what was just typed is in the form before it is on the screen.
            confirmed(() => form.getFieldValue('newPassword') as string),
          ),
        ]}
        validateDebounce={durations.formValidates}
      >
        <PasswordField autoComplete="new-password" lockedUntilFocus={lockedUntilFocus} />
      </Form.Item>
      <div className={styles['buttons']}>
        <Button type="primary" htmlType="submit" loading={change.isPending}>
          {submitLabel}
        </Button>
        {cancel}
      </div>
    </Form>
  );
}
