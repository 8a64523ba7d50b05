/** The second step of signing in: the code that the authenticator app shows, or a backup code. */
import { required } from '@patch/contract/form-rules/required-rules.ts';
import { Form, Input } from 'antd';
import { useState } from 'react';
import { antdRule } from '../../forms/antd-rule.ts';
import { Button } from '../../widgets/button.tsx';
import { AttemptAlert, useLockedOut } from './attempt-alert.tsx';
import styles from './login-screen.module.css';
import { type Shown, useSignIn } from './use-sign-in.ts';

interface SecondStepProps {
  /** What was right already. */
  readonly shown: Shown;
  readonly onBack: () => void;
}

export function SecondStep({ shown, onBack }: SecondStepProps) {
  const [form] = Form.useForm<{ otp: string }>();
  const [backup, setBackup] = useState(false);
  const attempt = useSignIn();
  const secondsLeft = useLockedOut(attempt.error);
  const label = backup ? 'Backup code' : 'Code';
  return (
    <>
      <h1 className={styles['heading']}>Enter your code</h1>
      <p className={styles['under']}>
        {backup
          ? 'One of the codes that you kept when you switched the second factor on.'
          : 'The six digits that your authenticator app shows now.'}
      </p>
      {attempt.error === null ? null : <AttemptAlert failure={attempt.error} secondsLeft={secondsLeft} />}
      <Form
        form={form}
        layout="vertical"
        size="large"
        requiredMark={false}
        validateTrigger="onSubmit"
        onFinish={({ otp }) => attempt.mutate({ ...shown, otp: otp.trim() })}
      >
        <Form.Item name="otp" label={label} rules={[antdRule(label, required)]}>
          <Input
            key={label}
            autoFocus
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
            inputMode={backup ? 'text' : 'numeric'}
            maxLength={16}
            className={styles['code'] ?? ''}
          />
        </Form.Item>
        <Button
          className={styles['submit'] ?? ''}
          look="primary"
          type="submit"
          block
          loading={attempt.isPending || attempt.isSuccess}
          disabled={secondsLeft > 0}
        >
          Sign in
        </Button>
        <Button
          look="link"
          block
          onClick={() => {
            form.resetFields();
            setBackup(!backup);
          }}
        >
          {backup ? 'Use the app' : 'Use a backup code'}
        </Button>
        <Button look="link" block onClick={onBack}>
          Back
        </Button>
      </Form>
    </>
  );
}
