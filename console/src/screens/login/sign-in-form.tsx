/** User name and password. A wrong password and an unknown user get the same message; a lockout shows the remaining time. */
import { ssoStatusEndpoint, startSsoEndpoint } from '@patch/contract/accounts/sso-endpoints.ts';
import { otpRequired } from '@patch/contract/accounts/two-factor-endpoints.ts';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { apiQuery } from '../../api/api-query.ts';
import { queryKeys } from '../../api/query-keys.ts';
import type { SignOutCause } from '../../api/session.ts';
import { PasswordField } from '../../forms/password-field.tsx';
import { Button, buttonClass } from '../../widgets/button.tsx';
import { homePath } from '../../widgets/list-paths.ts';
import { Notice } from '../../widgets/notice.tsx';
import { TextInput } from '../../widgets/text-input.tsx';
import { AttemptAlert, useLockoutSeconds } from './attempt-alert.tsx';
import { SecondStep } from './lazy-steps.tsx';
import styles from './login-screen.module.css';
import { type SignInFields, useSignInFields } from './sign-in-fields.ts';
import { hasErrorCode, useSignIn } from './use-sign-in.ts';

const endMessages: Readonly<Record<SignOutCause, string | null>> = {
  asked: null,
  refused: 'Your session has ended. Sign in to continue where you left off.',
  elsewhere: 'You signed out in another tab.',
};

interface SignInFormProps {
  /** The reason why a sign-in with the identity provider failed. */
  readonly ssoError: string | null;
  readonly ended: SignOutCause | undefined;
  readonly onForgotten: () => void;
}

export function SignInForm({ ssoError, ended, onForgotten }: SignInFormProps) {
  const { redirectFrom } = useSearch({ from: '/login' });
  // Outlives the second step, from which the user can go back.
  const fields = useSignInFields();
  const attempt = useSignIn();
  // Set immediately, so that a second press sees it. The mutation reports its pending state later.
  const [busy, setBusy] = useState(false);
  const failure = attempt.error;
  const secondsLeft = useLockoutSeconds(failure);
  if (attempt.variables !== undefined && hasErrorCode(failure, otpRequired))
    return <SecondStep credentials={attempt.variables} onBack={() => attempt.reset()} />;

  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy || secondsLeft > 0) return;
    const input = fields.read(event.currentTarget);
    if (input === null) return;
    const { username, password } = input;
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
          ? 'With your account of this installation.'
          : 'You will return to the page you requested.'}
      </p>
      {failure !== null ? (
        <AttemptAlert failure={failure} secondsLeft={secondsLeft} />
      ) : (
        <ArrivalNotice ssoError={ssoError} ended={ended} />
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

/** Explains why the user is here, before the first attempt. */
function ArrivalNotice({ ssoError, ended }: Pick<SignInFormProps, 'ssoError' | 'ended'>) {
  const notice = ended === undefined ? null : endMessages[ended];
  const title = ssoError ?? notice;
  if (title === null) return null;
  return (
    <Notice className={styles['alert']} kind={ssoError === null ? 'info' : 'error'} title={title} />
  );
}

function SignInInputs({ fields }: { readonly fields: SignInFields }) {
  return (
    <>
      <LabelledField label="User name or email" error={fields.errors.username}>
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
      <LabelledField label="Password" error={fields.errors.password}>
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

/** Attributes that connect the input to its label and its error. */
interface FieldInput {
  readonly id: string;
  readonly 'aria-required': true;
  readonly 'aria-invalid'?: true;
  readonly 'aria-describedby'?: string;
}

interface LabelledFieldProps {
  readonly label: string;
  readonly error: string | undefined;
  readonly children: (input: FieldInput) => ReactNode;
}

/** A field with its label, input and error. */
function LabelledField({ label, error, children }: LabelledFieldProps) {
  const id = useId();
  const errorId = `${id}error`;
  return (
    <div className={styles['field']}>
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        'aria-required': true,
        ...(error !== undefined && { 'aria-invalid': true, 'aria-describedby': errorId }),
      })}
      <p id={errorId} className={styles['wrong']} role={error === undefined ? undefined : 'alert'}>
        {error}
      </p>
    </div>
  );
}

/** The link to the identity provider, if one is configured. */
function SsoButton({ redirectFrom }: { readonly redirectFrom: string | undefined }) {
  // The button does not appear without a reply: users with a password can still sign in.
  const { data } = useQuery({
    ...apiQuery(queryKeys.sso.status(), ssoStatusEndpoint),
    retry: false,
  });
  if (data?.enabled !== true) return null;
  const query =
    redirectFrom === undefined ? '' : `?${new URLSearchParams({ redirectFrom }).toString()}`;
  return (
    <>
      <p className={styles['or']}>or</p>
      <a className={buttonClass({ block: true })} href={`/api${startSsoEndpoint.path}${query}`}>
        Sign in with {data.label}
      </a>
    </>
  );
}
