/** Decides when the dashboard shows the first steps: in every browser of an administrator, until they are done or hidden. */
import type { SourceState } from '@patch/contract/sync-endpoints.ts';
import { updateFrame, usePreferences } from '../../api/preferences.ts';

export function useFirstSteps(sources: readonly SourceState[] | undefined) {
  const { frame, loading } = usePreferences();
  const isEmpty =
    sources !== undefined &&
    sources.length > 0 &&
    sources.every(({ lastSuccessAt }) => lastSuccessAt === null);
  return {
    isEmpty,
    areShown: isEmpty || (sources !== undefined && !loading && frame.firstSteps !== 'hidden'),
    dismiss: () => updateFrame({ firstSteps: 'hidden' }),
  };
}
