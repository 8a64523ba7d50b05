/** Hooks that follow media queries of the browser. */
import { useCallback, useSyncExternalStore } from 'react';
import { sizes } from './tokens.ts';

export function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (onChange: () => void) => {
      const media = matchMedia(query);
      media.addEventListener('change', onChange);
      return () => media.removeEventListener('change', onChange);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches);
}

export const useNarrow = (): boolean => useMediaQuery(`(width < ${sizes.narrowBelow}px)`);
export const useReducedMotion = (): boolean => useMediaQuery('(prefers-reduced-motion: reduce)');
