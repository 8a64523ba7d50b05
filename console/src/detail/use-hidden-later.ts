/** Says that a drawer is hidden 500 ms after it was closed, when it has slid away; not when it was opened again before. */
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
