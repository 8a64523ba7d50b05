/** User name and password. A wrong one and an unknown one read alike; after too many tries it says how long to wait. */

import { required } from '@patch/contract/form-rules/required-rules.ts';
import { otpRequired } from '@patch/contract/two-factor-endpoints.ts';
import { useSearch } from '@tanstack/react-router';
import { Alert, Form } from 'antd';
import type { SignOutCause } from '../../api/session.ts';
import { FirstInput } from '../../forms/first-input.tsx';
import { PasswordField } from '../../forms/password-field.tsx';
import { RuleField } from '../../forms/rule-field.tsx';
import { RuleForm } from '../../forms/rule-form.tsx';
import { SubmitButton } from '../../forms/submit-button.tsx';
import { Button } from '../../widgets/button.tsx';
import { homePath } from '../../widgets/list-paths.ts';
import { AttemptAlert, useLockedOut } from './attempt-alert.tsx';
import styles from './login-screen.module.css';
import { SecondStep } from './second-step.tsx';
import { SsoButton } from './sso-button.tsx';
import { failedWith, useSignIn } from './use-sign-in.ts';

interface Entered {
  readonly username: string;
  readonly password: string;
}

const endedWords: Readonly<Record<SignOutCause, string | null>> = {
  asked: null,
  refused: 'Your session has ended. Sign in to continue where you left off.',
  elsewhere: 'You signed out in another tab.',
};

interface SignInFormProps {
  /** Why a sign-in with the identity provider came to nothing. */
  readonly failed: string | null;
  readonly ended: SignOutCause | undefined;
  readonly onForgotten: () => void;
}

export function SignInForm({ failed, ended, onForgotten }: SignInFormProps) {
  const { redirectFrom } = useSearch({ from: '/login' });
  // What was typed is there again after the second step was gone back from.
  const [form] = Form.useForm<Entered>();
  const attempt = useSignIn();
  const failure = attempt.error;
  const secondsLeft = useLockedOut(failure);
  const notice = ended === undefined ? null : endedWords[ended];
  if (attempt.variables !== undefined && failedWith(failure, otpRequired))
    return <SecondStep shown={attempt.variables} onBack={() => attempt.reset()} />;

  return (
    <>
      <h1 className={styles['heading']}>Sign in</h1>
      <p className={styles['under']}>
        {redirectFrom === undefined || redirectFrom === homePath
          ? 'Welcome back.'
          : 'You will return to the page you requested.'}
      </p>
      {failure !== null ? (
        <AttemptAlert failure={failure} secondsLeft={secondsLeft} />
      ) : failed !== null ? (
        <Alert className={styles['alert'] ?? ''} type="error" showIcon title={failed} />
      ) : notice !== null ? (
        <Alert className={styles['alert'] ?? ''} type="info" showIcon title={notice} />
      ) : null}
      <RuleForm<Entered>
        form={form}
        size="large"
        quiet
        onSubmit={({ username, password }) =>
          attempt.try({ username: username.trim(), password, loginType: 'support-portal' })
        }
      >
        <RuleField name="username" label="User name or email" called="User name" rules={[required]}>
          <FirstInput
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={255}
          />
        </RuleField>
        <RuleField name="password" label="Password" rules={[required]}>
          <PasswordField autoComplete="current-password" size="large" />
        </RuleField>
        <div className={styles['submit']}>
          <SubmitButton block disabled={secondsLeft > 0 || attempt.isSuccess}>
            Sign in
          </SubmitButton>
        </div>
        <Button look="link" block onClick={onForgotten}>
          Forgotten password?
        </Button>
      </RuleForm>
      <SsoButton redirectFrom={redirectFrom} />
    </>
  );
}
