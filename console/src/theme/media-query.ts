/** What the browser says of its window and its user's wishes, followed as it changes. */
import { useCallback, useSyncExternalStore } from 'react';
import { sizes } from './tokens.ts';

export function useMediaQuery(query: string): boolean {
  const watch = useCallback(
    (told: () => void) => {
      const media = matchMedia(query);
      media.addEventListener('change', told);
      return () => media.removeEventListener('change', told);
    },
    [query],
  );
  return useSyncExternalStore(watch, () => matchMedia(query).matches);
}

export const useNarrow = (): boolean => useMediaQuery(`(width < ${sizes.narrowBelow}px)`);
export const useReducedMotion = (): boolean => useMediaQuery('(prefers-reduced-motion: reduce)');
