/** Draws the parts of a long page one after the other, each when the one before is on the screen, so that none holds up what is pressed. */
import { startTransition, useEffect, useState } from 'react';

/** How many of so many parts are drawn: one more after each that is there. */
export function useSteps(parts: number): number {
  const [drawn, setDrawn] = useState(0);
  useEffect(() => {
    if (drawn < parts) startTransition(() => setDrawn(drawn + 1));
  }, [drawn, parts]);
  return Math.min(drawn, parts);
}
