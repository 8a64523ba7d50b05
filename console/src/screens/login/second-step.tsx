/** The second step of signing in: the code that the authenticator app shows, or a backup code. */
import { required } from '@patch/contract/form-rules/required-rules.ts';
import { Form, Input } from 'antd';
import { useState } from 'react';
import { RuleField } from '../../forms/rule-field.tsx';
import { RuleForm } from '../../forms/rule-form.tsx';
import { SubmitButton } from '../../forms/submit-button.tsx';
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
      <RuleForm form={form} size="large" quiet onSubmit={({ otp }) => attempt.try({ ...shown, otp: otp.trim() })}>
        <RuleField name="otp" label={label} rules={[required]}>
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
        </RuleField>
        <div className={styles['submit']}>
          <SubmitButton block disabled={secondsLeft > 0 || attempt.isSuccess}>
            Sign in
          </SubmitButton>
        </div>
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
      </RuleForm>
    </>
  );
}
