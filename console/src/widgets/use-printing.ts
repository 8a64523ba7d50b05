/** Follows printing, for components that render a part of their rows on screen. */
import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';

/** Returns true while printing, which needs all rows. */
export function usePrinting(): boolean {
  const [printing, setPrinting] = useState(false);
  useEffect(() => {
    // The browser prints the page as it is when the listener returns.
    const mounted = new AbortController();
    const { signal } = mounted;
    addEventListener('beforeprint', () => flushSync(() => setPrinting(true)), { signal });
    addEventListener('afterprint', () => setPrinting(false), { signal });
    return () => mounted.abort();
  }, []);
  return printing;
}
