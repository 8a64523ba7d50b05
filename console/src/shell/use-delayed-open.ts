/** Opens the change-password drawer 400 ms after the request, when the menu has closed and returned the focus. */
import { useEffect, useRef, useState } from 'react';
import { durations } from '../theme/tokens.ts';

export function useDelayedOpen(delay: number = durations.changePasswordOpens) {
  const [open, setOpen] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return {
    open,
    openSoon: (): void => {
      clearTimeout(timer.current);
      timer.current = setTimeout(() => setOpen(true), delay);
    },
    close: (): void => {
      clearTimeout(timer.current);
      setOpen(false);
    },
  };
}
