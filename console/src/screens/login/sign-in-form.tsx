/** User name and password. A wrong one and an unknown one read alike; after too many tries it says how long to wait. */

import { otpRequired } from '@patch/contract/two-factor-endpoints.ts';
import { useSearch } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import type { SignOutCause } from '../../api/session.ts';
import { PasswordField } from '../../forms/password-field.tsx';
import { Button } from '../../widgets/button.tsx';
import { homePath } from '../../widgets/list-paths.ts';
import { Notice } from '../../widgets/notice.tsx';
import { TextInput } from '../../widgets/text-input.tsx';
import { AttemptAlert, useLockedOut } from './attempt-alert.tsx';
import { LabelledField } from './labelled-field.tsx';
import { SecondStep } from './lazy-steps.tsx';
import styles from './login-screen.module.css';
import { type SignInFields, useSignInFields } from './sign-in-fields.ts';
import { SsoButton } from './sso-button.tsx';
import { failedWith, useSignIn } from './use-sign-in.ts';

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
  // Outlives the second step, which may be gone back from.
  const fields = useSignInFields();
  const attempt = useSignIn();
  // At once, so that a second press finds it: the attempt tells that it is pending a moment later.
  const [busy, setBusy] = useState(false);
  const failure = attempt.error;
  const secondsLeft = useLockedOut(failure);
  if (attempt.variables !== undefined && failedWith(failure, otpRequired))
    return <SecondStep shown={attempt.variables} onBack={() => attempt.reset()} />;

  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy || secondsLeft > 0) return;
    const entered = fields.read(event.currentTarget);
    if (entered === null) return;
    const { username, password } = entered;
    setBusy(true);
    void attempt
      .try({ username: username.trim(), password, loginType: 'support-portal' })
      .finally(() => setBusy(false));
  };

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
      ) : (
        <ArrivalNotice failed={failed} ended={ended} />
      )}
      {/* The contract's rules speak, not the browser's. */}
      <form noValidate onSubmit={send} {...fields.listeners}>
        <SignInInputs fields={fields} />
        <div className={styles['submit']}>
          <Button
            type="submit"
            look="primary"
            block
            loading={busy}
            disabled={secondsLeft > 0 || attempt.isSuccess}
          >
            Sign in
          </Button>
        </div>
        <Button look="link" block onClick={onForgotten}>
          Forgotten password?
        </Button>
      </form>
      <SsoButton redirectFrom={redirectFrom} />
    </>
  );
}

/** Why the person is here, before they have tried. */
function ArrivalNotice({ failed, ended }: Pick<SignInFormProps, 'failed' | 'ended'>) {
  const notice = ended === undefined ? null : endedWords[ended];
  const title = failed ?? notice;
  if (title === null) return null;
  return (
    <Notice className={styles['alert']} kind={failed === null ? 'info' : 'error'} title={title} />
  );
}

function SignInInputs({ fields }: { readonly fields: SignInFields }) {
  return (
    <>
      <LabelledField label="User name or email" wrong={fields.wrong.username}>
        {(input) => (
          <TextInput
            {...input}
            name="username"
            defaultValue={fields.sent('username')}
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the page is there for this form
            autoFocus
            size="large"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={255}
          />
        )}
      </LabelledField>
      <LabelledField label="Password" wrong={fields.wrong.password}>
        {(input) => (
          <PasswordField
            {...input}
            name="password"
            defaultValue={fields.sent('password')}
            autoComplete="current-password"
            size="large"
          />
        )}
      </LabelledField>
    </>
  );
}
