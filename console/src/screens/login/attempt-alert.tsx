/** What the server says of a try to sign in; who is locked out sees how long. */
import { ApiCallError } from '../../api/call-api.ts';
import { Notice } from '../../widgets/notice.tsx';
import styles from './login-screen.module.css';
import { useSecondsLeft } from './seconds-left.ts';
import { waitText } from './wait-text.ts';

/** Seconds until it may be tried again. */
export function useLockedOut(failure: Error | null): number {
  return useSecondsLeft(
    failure instanceof ApiCallError && failure.status === 429 ? failure.retryAfter : null,
  );
}

export function AttemptAlert({
  failure,
  secondsLeft,
}: {
  readonly failure: Error;
  readonly secondsLeft: number;
}) {
  return (
    <Notice
      className={styles['alert']}
      kind={secondsLeft > 0 ? 'warning' : 'error'}
      title={failure instanceof ApiCallError ? failure.userMessage : failure.message}
      description={secondsLeft > 0 ? `Try again in ${waitText(secondsLeft)}.` : undefined}
    />
  );
}
