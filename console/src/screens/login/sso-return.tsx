/** Exchanges the ticket of an identity provider for a session, with a second step if required. */
import { ssoFailures } from '@patch/contract/accounts/sso-endpoints.ts';
import { otpRequired } from '@patch/contract/accounts/two-factor-endpoints.ts';
import { useEffect, useEffectEvent, useRef } from 'react';
import { ApiCallError } from '../../api/call-api.ts';
import { Spinner } from '../../widgets/spinner.tsx';
import { SecondStep } from './lazy-steps.tsx';
import styles from './login-screen.module.css';
import { hasErrorCode, useSignIn } from './use-sign-in.ts';

interface SsoReturnProps {
  readonly ticket: string;
  /** `message` explains the failure. */
  readonly onFailed: (message: string | null) => void;
}

export function SsoReturn({ ticket, onFailed }: SsoReturnProps) {
  const credentials = { username: 'sso', password: ticket, loginType: 'sso' } as const;
  const attempt = useSignIn();
  const handleFailure = useEffectEvent((failure: Error) => {
    if (!hasErrorCode(failure, otpRequired))
      onFailed(failure instanceof ApiCallError ? failure.userMessage : ssoFailures.over);
  });
  const started = useRef(false);
  const exchange = useEffectEvent(() => attempt.mutate(credentials, { onError: handleFailure }));
  useEffect(() => {
    // A ticket is valid once.
    if (!started.current) exchange();
    started.current = true;
  }, []);
  if (hasErrorCode(attempt.error, otpRequired))
    return <SecondStep credentials={credentials} onBack={() => onFailed(null)} />;
  return (
    <>
      <h1 className={styles['heading']}>Signing you in</h1>
      <Spinner />
    </>
  );
}
