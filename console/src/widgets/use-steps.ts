/** Renders the parts of a long page one after the other, so that the page stays responsive. */
import { startTransition, useEffect, useState } from 'react';

/** Returns the number of parts to render: one more after each render. */
export function useSteps(parts: number): number {
  const [drawn, setDrawn] = useState(0);
  useEffect(() => {
    if (drawn < parts) startTransition(() => setDrawn(drawn + 1));
  }, [drawn, parts]);
  return Math.min(drawn, parts);
}
