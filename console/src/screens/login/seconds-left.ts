/** Counts down from a number of seconds, and stays at 0. */
import { useEffect, useState } from 'react';

export function useSecondsLeft(seconds: number | null): number {
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
