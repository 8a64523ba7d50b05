/** Whether the dashboard shows the first steps of an installation: from the first look at an empty one until they are done or dismissed. */
import type { SourceState } from '@patch/contract/sync-endpoints.ts';
import { useState } from 'react';

/** Remembered by this browser, because it is a person at one desk who sets an installation up. */
const stateKey = 'patch-repository.first-steps';
const checkedKey = 'patch-repository.machine-checked';

export function useFirstSteps(sources: readonly SourceState[] | undefined) {
  const [state, setState] = useState(() => localStorage.getItem(stateKey));
  const isEmpty =
    sources !== undefined &&
    sources.length > 0 &&
    sources.every(({ lastSuccessAt }) => lastSuccessAt === null);
  if (isEmpty && state === null) {
    localStorage.setItem(stateKey, 'begun');
    setState('begun');
  }
  return {
    isEmpty,
    areShown: isEmpty || (sources !== undefined && state === 'begun'),
    dismiss: () => {
      localStorage.setItem(stateKey, 'done');
      setState('done');
    },
  };
}

export const isMachineChecked = (): boolean => localStorage.getItem(checkedKey) !== null;
