/** Renders the parts of a long page one after the other, so that the page stays responsive. */
import { startTransition, useEffect, useState } from 'react';

/** Returns the number of parts to render: one more after each render. */
export function useSteps(parts: number): number {
  const [rendered, setRendered] = useState(0);
  useEffect(() => {
    if (rendered < parts) startTransition(() => setRendered(rendered + 1));
  }, [rendered, parts]);
  return Math.min(rendered, parts);
}
