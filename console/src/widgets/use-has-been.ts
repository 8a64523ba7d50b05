/** Returns true once `now` has been true. */
import { useState } from 'react';

export function useHasBeen(now: boolean): boolean {
  const [ever, setEver] = useState(now);
  if (now && !ever) setEver(true);
  return ever || now;
}
