/** Adds the number of failed sources to the page title, so that a background tab shows it. */
import { useEffect } from 'react';

const countPrefix = /^\(\d+ failed\) /;

export function useFailureTitle(failed: number): void {
  useEffect(() => {
    const baseTitle = document.title.replace(countPrefix, '');
    document.title = failed === 0 ? baseTitle : `(${failed} failed) ${baseTitle}`;
    return () => {
      document.title = document.title.replace(countPrefix, '');
    };
  }, [failed]);
}
