/** The server's reply to a failed sign-in. After too many attempts it shows the remaining time. */
import { ApiCallError } from '../../api/call-api.ts';
import { Notice } from '../../widgets/notice.tsx';
import styles from './login-screen.module.css';
import { useSecondsLeft } from './seconds-left.ts';
import { formatWait } from './wait-text.ts';

/** Returns the seconds until the next attempt is allowed. */
export function useLockoutSeconds(failure: Error | null): number {
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
      description={secondsLeft > 0 ? `Try again in ${formatWait(secondsLeft)}.` : undefined}
    />
  );
}
