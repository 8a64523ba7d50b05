/** Decides when the dashboard shows the first steps: from the first visit of an empty installation until they are done or dismissed. */
import type { SourceState } from '@patch/contract/sync-endpoints.ts';
import { useState } from 'react';

/** Stored in this browser, because one person at one desk sets an installation up. */
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
