/** Sources with their states, updated by server events. Without a stream they are polled: each second while one runs, else each 15. */

import type { SourceState } from '@patch/contract/sources/sync-endpoints.ts';
import { sourcesEndpoint } from '@patch/contract/sources/sync-endpoints.ts';
import { useQuery } from '@tanstack/react-query';
import { callApi } from './call-api.ts';
import { queryKeys } from './query-keys.ts';
import { isStreamOpen } from './source-events.ts';
import { isUserActive } from './user-activity.ts';

const runningIntervalMs = 1000;
const idleIntervalMs = 15_000;
/** An inactive page must not keep the session from its idle timeout. */
const inactiveIntervalMs = idleIntervalMs * 1000;

export const isUnderWay = ({ run }: Pick<SourceState, 'run'>): boolean =>
  run?.state === 'running' || run?.state === 'queued';

export function useSources() {
  return useQuery({
    queryKey: queryKeys.sources.all(),
    queryFn: async ({ signal }) => (await callApi(sourcesEndpoint, { signal })).objList,
    refetchInterval({ state }) {
      if (isStreamOpen()) return false;
      if (!isUserActive()) return inactiveIntervalMs;
      // A failing server is polled at the slow interval.
      return state.status !== 'error' && state.data?.some(isUnderWay) === true
        ? runningIntervalMs
        : idleIntervalMs;
    },
    refetchIntervalInBackground: false,
  });
}
