/** Calls `onHidden` 500 ms after a drawer is closed, once its animation has ended, unless it is reopened before. */
import { useEffect, useEffectEvent } from 'react';
import { durations } from '../theme/tokens.ts';

export function useHiddenLater(open: boolean, onHidden: () => void): void {
  const hidden = useEffectEvent(onHidden);
  useEffect(() => {
    if (open) return undefined;
    const timer = setTimeout(() => hidden(), durations.drawerHides);
    return () => clearTimeout(timer);
  }, [open]);
}
