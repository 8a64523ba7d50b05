/** The second step of sign-in: a passkey, a code of the authenticator app, or a backup code. */

import { signInFactorsEndpoint } from '@patch/contract/accounts/second-factor-endpoints.ts';
import { required } from '@patch/contract/form-rules/required-rules.ts';
import { Form } from 'antd';
import { useState } from 'react';
import { callApi } from '../../api/call-api.ts';
import { FirstInput } from '../../forms/first-input.tsx';
import { RuleField } from '../../forms/rule-field.tsx';
import { RuleForm } from '../../forms/rule-form.tsx';
import { SubmitButton } from '../../forms/submit-button.tsx';
import { useFactor } from '../../forms/use-factor.ts';
import { Button } from '../../widgets/button.tsx';
import { Spinner } from '../../widgets/spinner.tsx';
import { AttemptAlert, useLockoutSeconds } from './attempt-alert.tsx';
import styles from './login-screen.module.css';
import { type Credentials, useSignIn } from './use-sign-in.ts';

interface SecondStepProps {
  /** The first step's credentials. */
  readonly credentials: Credentials;
  readonly onBack: () => void;
}

export function SecondStep({ credentials, onBack }: SecondStepProps) {
  const [form] = Form.useForm<{ otp?: string }>();
  const [wantsBackup, setWantsBackup] = useState(false);
  const attempt = useSignIn();
  const secondsLeft = useLockoutSeconds(attempt.error);
  const { username, password, loginType } = credentials;
  const factor = useFactor(username, (signal) =>
    callApi(signInFactorsEndpoint, { body: { username, password, loginType }, signal }),
  );
  if (factor.pending) return <Spinner />;
  const backup = wantsBackup || !factor.hasApp;
  const label = backup ? 'Backup code' : 'Code';
  return (
    <>
      <h1 className={styles['heading']}>
        {factor.method === 'passkey' ? 'Use your passkey' : 'Enter your code'}
      </h1>
      <p className={styles['under']}>
        {factor.method === 'passkey'
          ? 'Your browser asks for it: by fingerprint, face, PIN or security key.'
          : backup
            ? 'One of the codes you saved when you set up the second factor.'
            : 'The six-digit code from your authenticator app.'}
      </p>
      {attempt.error === null ? null : (
        <AttemptAlert failure={attempt.error} secondsLeft={secondsLeft} />
      )}
      <RuleForm
        form={form}
        size="large"
        quiet
        onSubmit={async ({ otp }) =>
          attempt.try({ ...credentials, ...(await factor.getProof(otp)) })
        }
      >
        {factor.method === 'passkey' ? null : (
          <RuleField name="otp" label={label} rules={[required]}>
            <FirstInput
              key={label}
              autoComplete="one-time-code"
              autoCapitalize="none"
              spellCheck={false}
              inputMode={backup ? 'text' : 'numeric'}
              maxLength={16}
              className={styles['code'] ?? ''}
            />
          </RuleField>
        )}
        <div className={styles['submit']}>
          <SubmitButton block disabled={secondsLeft > 0 || attempt.isSuccess}>
            {factor.method === 'passkey' ? 'Use passkey' : 'Sign in'}
          </SubmitButton>
        </div>
        {factor.switchMethod === null ? null : (
          <Button look="link" block onClick={factor.switchMethod}>
            {factor.method === 'passkey' ? 'Use a code instead' : 'Use a passkey instead'}
          </Button>
        )}
        {factor.method === 'code' && factor.hasApp ? (
          <Button
            look="link"
            block
            onClick={() => {
              form.resetFields();
              setWantsBackup(!wantsBackup);
            }}
          >
            {backup ? 'Use the app' : 'Use a backup code'}
          </Button>
        ) : null}
        <Button look="link" block onClick={onBack}>
          Back
        </Button>
      </RuleForm>
    </>
  );
}
