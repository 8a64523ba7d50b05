/** Every source with its state. Told by the server as it changes; while that way is closed, asked each second when one runs, else each 15. */

import type { SourceState } from '@patch/contract/sync-endpoints.ts';
import { sourcesEndpoint } from '@patch/contract/sync-endpoints.ts';
import { useQuery } from '@tanstack/react-query';
import { callApi } from './call-api.ts';
import { queryKeys } from './query-keys.ts';
import { isTold } from './source-events.ts';
import { isUserActive } from './user-activity.ts';

const whileRunning = 1000;
const otherwise = 15_000;
/** Nobody is there: a page left open must not poll the session's idle timeout away. */
const seldom = otherwise * 1000;

export const isUnderWay = ({ run }: Pick<SourceState, 'run'>): boolean =>
  run?.state === 'running' || run?.state === 'queued';

export function useSources() {
  return useQuery({
    queryKey: queryKeys.sources.all(),
    queryFn: async ({ signal }) => (await callApi(sourcesEndpoint, { signal })).objList,
    refetchInterval({ state }) {
      if (isTold()) return false;
      if (!isUserActive()) return seldom;
      // A server that does not answer is not asked each second.
      return state.status !== 'error' && state.data?.some(isUnderWay) === true
        ? whileRunning
        : otherwise;
    },
    refetchIntervalInBackground: false,
  });
}
