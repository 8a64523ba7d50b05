/** Which option of a list below an input the arrow keys have reached, while the focus stays in the input. */
import { type KeyboardEvent, useState } from 'react';

export interface ActiveOption {
  /** -1 while none is. */
  readonly active: number;
  readonly activate: (index: number) => void;
  /** Moves up or down where the key says so, and answers whether it did. */
  readonly moveBy: (event: KeyboardEvent, optionCount: number) => boolean;
}

/** `first`: where it begins, and the least that the arrow up reaches. */
export function useActiveOption(first: 0 | -1): ActiveOption {
  const [active, activate] = useState<number>(first);
  return {
    active,
    activate,
    moveBy: (event, optionCount) => {
      if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return false;
      event.preventDefault();
      const step = event.key === 'ArrowDown' ? 1 : -1;
      activate((index) => Math.max(first, Math.min(index + step, optionCount - 1)));
      return true;
    },
  };
}
