/** Returns the focus to where it was when a dialog opened. antd does so only for a dialog that stays mounted when it closes. */
import { useEffect, useState } from 'react';
import { isFocusLost } from './focus.ts';

/** Called by a dialog that is removed when it closes. */
export function useReturnFocus(): void {
  const [opener] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      if (opener instanceof HTMLElement && isFocusLost()) opener.focus();
    },
    [opener],
  );
}
