/** Active option of a list below an input, moved by arrow keys while the focus stays in the input. */
import { type KeyboardEvent, useState } from 'react';

export interface ActiveOption {
  /** Index; -1 without an active option. */
  readonly active: number;
  readonly activate: (index: number) => void;
  /** Handles the arrow keys up and down. Returns false for other keys. */
  readonly moveBy: (event: KeyboardEvent, optionCount: number) => boolean;
}

/** @param first - Initial and lowest index; -1 allows no active option. */
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
