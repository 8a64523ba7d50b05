/** User name and password. A wrong one and an unknown one read alike; after too many tries it says how long to wait. */

import { required } from '@patch/contract/form-rules/required-rules.ts';
import { authenticateCall } from '@patch/contract/sign-in-calls.ts';
import { useMutation } from '@tanstack/react-query';
import { useRouter, useSearch } from '@tanstack/react-router';
import { Alert, Form, Input } from 'antd';
import { CallFailed, makeCall } from '../../api/make-call.ts';
import { type SignOutCause, signIn } from '../../api/session.ts';
import { antdRule } from '../../forms/antd-rule.ts';
import { PasswordField } from '../../forms/password-field.tsx';
import { Button } from '../../widgets/button.tsx';
import { homePath } from '../../widgets/list-paths.ts';
import styles from './login-screen.module.css';
import { useSecondsLeft } from './seconds-left.ts';
import { waitWords } from './wait-words.ts';

interface Entered {
  readonly username: string;
  readonly password: string;
}

const endedWords: Readonly<Record<SignOutCause, string | null>> = {
  asked: null,
  refused: 'Your session has ended. Sign in to go on where you were.',
  elsewhere: 'You signed out in another tab.',
};

interface SignInFormProps {
  readonly ended: SignOutCause | undefined;
  readonly onForgotten: () => void;
}

export function SignInForm({ ended, onForgotten }: SignInFormProps) {
  const router = useRouter();
  const { redirectFrom } = useSearch({ from: '/login' });
  const [form] = Form.useForm<Entered>();
  const attempt = useMutation({
    mutationFn: ({ username, password }: Entered) =>
      makeCall(authenticateCall, { body: { username: username.trim(), password, loginType: 'support-portal' } }),
    meta: { quiet: true },
    async onSuccess({ token, user }) {
      signIn(token, user);
      // The login page's own guard knows the way back, or that the password must be changed first.
      if (!user.mustChangePassword) await router.invalidate();
    },
  });
  const failure = attempt.error;
  const secondsLeft = useSecondsLeft(failure instanceof CallFailed && failure.status === 429 ? failure.retryAfter : null);
  const lockedOut = secondsLeft > 0;
  const notice = ended === undefined ? null : endedWords[ended];

  return (
    <>
      <h1 className={styles['heading']}>Sign in</h1>
      <p className={styles['under']}>
        {redirectFrom === undefined || redirectFrom === homePath ? 'Welcome back.' : 'You will return to the page you asked for.'}
      </p>
      {failure !== null ? (
        <Alert
          className={styles['alert'] ?? ''}
          type={lockedOut ? 'warning' : 'error'}
          showIcon
          title={failure instanceof CallFailed ? failure.userMessage : failure.message}
          description={lockedOut ? `Try again in ${waitWords(secondsLeft)}.` : undefined}
        />
      ) : notice !== null ? (
        <Alert className={styles['alert'] ?? ''} type="info" showIcon title={notice} />
      ) : null}
      <Form
        form={form}
        layout="vertical"
        size="large"
        requiredMark={false}
        validateTrigger="onSubmit"
        onFinish={(entered) => attempt.mutate(entered)}
      >
        <Form.Item name="username" label="User name or e-mail" rules={[antdRule('User name', required)]}>
          <Input autoComplete="username" autoCapitalize="none" spellCheck={false} autoFocus maxLength={255} />
        </Form.Item>
        <Form.Item name="password" label="Password" rules={[antdRule('Password', required)]}>
          <PasswordField autoComplete="current-password" size="large" />
        </Form.Item>
        <Button
          className={styles['submit'] ?? ''}
          look="primary"
          type="submit"
          block
          loading={attempt.isPending || attempt.isSuccess}
          disabled={lockedOut}
        >
          Sign in
        </Button>
        <Button look="link" block onClick={onForgotten}>
          Forgotten password?
        </Button>
      </Form>
    </>
  );
}
