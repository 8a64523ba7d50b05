/** The server's reply to a failed sign-in. After too many attempts it shows the remaining time. */
import { useEffect, useState } from 'react';
import { ApiCallError } from '../../api/call-api.ts';
import { Notice } from '../../widgets/notice.tsx';
import styles from './login-screen.module.css';

/** Returns the seconds until the next attempt is allowed. */
export function useLockoutSeconds(failure: Error | null): number {
  const seconds =
    failure instanceof ApiCallError && failure.status === 429 ? failure.retryAfter : null;
  const [left, setLeft] = useState(0);
  useEffect(() => {
    const until = seconds === null ? 0 : performance.now() + seconds * 1000;
    const count = () => setLeft(Math.max(0, Math.ceil((until - performance.now()) / 1000)));
    count();
    if (seconds === null) return;
    const timer = setInterval(count, 1000);
    return () => clearInterval(timer);
  }, [seconds]);
  return left;
}

interface AttemptAlertProps {
  readonly failure: Error;
  readonly secondsLeft: number;
}

export function AttemptAlert({ failure, secondsLeft }: AttemptAlertProps) {
  return (
    <Notice
      className={styles['alert']}
      kind={secondsLeft > 0 ? 'warning' : 'error'}
      title={failure instanceof ApiCallError ? failure.userMessage : failure.message}
      description={secondsLeft > 0 ? `Try again in ${formatWait(secondsLeft)}.` : undefined}
    />
  );
}

/** Formats the remaining lockout time, such as '14 min 32 s'. */
function formatWait(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  const rest = seconds % 60;
  if (minutes === 0) return `${rest} s`;
  return rest === 0 ? `${minutes} min` : `${minutes} min ${rest} s`;
}
