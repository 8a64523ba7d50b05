/** The change-password drawer opens 400 ms after it was asked for: the menu that asked has closed and given the focus back by then. */
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
