/** Asks for a link by mail. What it answers is the same for addresses that are known and those that are not. */

import { required } from '@patch/contract/form-rules/required-rules.ts';
import { forgotPasswordCall } from '@patch/contract/password-reset-calls.ts';
import { useMutation } from '@tanstack/react-query';
import { Alert, Form, Input } from 'antd';
import { makeCall } from '../../api/make-call.ts';
import { antdRule } from '../../forms/antd-rule.ts';
import { Button } from '../../widgets/button.tsx';
import styles from './login-screen.module.css';

interface Entered {
  readonly email: string;
}

export function ForgottenPassword({ onBack }: { readonly onBack: () => void }) {
  const asked = useMutation({
    mutationFn: ({ email }: Entered) => makeCall(forgotPasswordCall, { body: { email: email.trim() } }),
    meta: { quiet: true },
  });
  return (
    <>
      <h1 className={styles['heading']}>Reset your password</h1>
      <p className={styles['under']}>A link to choose a new one comes by mail.</p>
      {asked.data === undefined && asked.error === null ? null : (
        <Alert
          className={styles['alert'] ?? ''}
          type={asked.data === undefined ? 'error' : 'success'}
          showIcon
          title={asked.data?.message ?? asked.error?.message}
        />
      )}
      {asked.data !== undefined ? null : (
        <Form
          layout="vertical"
          size="large"
          requiredMark={false}
          validateTrigger="onSubmit"
          onFinish={(entered: Entered) => asked.mutate(entered)}
        >
          <Form.Item name="email" label="E-mail" rules={[antdRule('E-mail', required)]}>
            <Input type="email" autoComplete="email" autoFocus maxLength={254} />
          </Form.Item>
          <Button className={styles['submit'] ?? ''} look="primary" type="submit" block loading={asked.isPending}>
            Send the link
          </Button>
        </Form>
      )}
      <Button look="link" onClick={onBack}>
        Back to sign in
      </Button>
    </>
  );
}
