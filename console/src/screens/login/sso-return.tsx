/** The way back from an identity provider: its ticket is exchanged for a session, with a second step where there is one. */
import { ssoFailures } from '@patch/contract/sso-endpoints.ts';
import { otpRequired } from '@patch/contract/two-factor-endpoints.ts';
import { useEffect, useEffectEvent, useRef } from 'react';
import { ApiCallError } from '../../api/call-api.ts';
import { Spinner } from '../../widgets/spinner.tsx';
import { SecondStep } from './lazy-steps.tsx';
import styles from './login-screen.module.css';
import { failedWith, useSignIn } from './use-sign-in.ts';

interface SsoReturnProps {
  readonly ticket: string;
  /** With words that say why. */
  readonly onFailed: (words: string | null) => void;
}

export function SsoReturn({ ticket, onFailed }: SsoReturnProps) {
  const shown = { username: 'sso', password: ticket, loginType: 'sso' } as const;
  const attempt = useSignIn();
  const failed = useEffectEvent((failure: Error) => {
    if (!failedWith(failure, otpRequired))
      onFailed(failure instanceof ApiCallError ? failure.userMessage : ssoFailures.over);
  });
  const begun = useRef(false);
  const exchange = useEffectEvent(() => attempt.mutate(shown, { onError: failed }));
  useEffect(() => {
    // A ticket is good once.
    if (!begun.current) exchange();
    begun.current = true;
  }, []);
  if (failedWith(attempt.error, otpRequired))
    return <SecondStep shown={shown} onBack={() => onFailed(null)} />;
  return (
    <>
      <h1 className={styles['heading']}>Signing you in</h1>
      <Spinner />
    </>
  );
}
