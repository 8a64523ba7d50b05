/** Sources with their states. Server events update them; without a stream they are polled each second while one runs, else each 15 seconds. */

import type { SourceState } from '@patch/contract/sync-endpoints.ts';
import { sourcesEndpoint } from '@patch/contract/sync-endpoints.ts';
import { useQuery } from '@tanstack/react-query';
import { callApi } from './call-api.ts';
import { queryKeys } from './query-keys.ts';
import { isTold } from './source-events.ts';
import { isUserActive } from './user-activity.ts';

const whileRunning = 1000;
const otherwise = 15_000;
/** An inactive page must not keep the session from its idle timeout. */
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
      // A failing server is polled at the slow interval.
      return state.status !== 'error' && state.data?.some(isUnderWay) === true
        ? whileRunning
        : otherwise;
    },
    refetchIntervalInBackground: false,
  });
}
