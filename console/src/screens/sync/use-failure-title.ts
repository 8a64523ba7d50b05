/** The page's title counts the sources whose last sync failed: a tab in the background says so. */
import { useEffect } from 'react';

const counted = /^\(\d+ failed\) /;

export function useFailureTitle(failed: number): void {
  useEffect(() => {
    const plain = document.title.replace(counted, '');
    document.title = failed === 0 ? plain : `(${failed} failed) ${plain}`;
    return () => {
      document.title = document.title.replace(counted, '');
    };
  }, [failed]);
}
