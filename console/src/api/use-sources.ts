/** Every source with its state: asked each second while one runs, else each 15; not at all in a hidden tab or with nobody there. */
import type { SourceState } from '@patch/contract/sync-calls.ts';
import { sourcesCall } from '@patch/contract/sync-calls.ts';
import { useQuery } from '@tanstack/react-query';
import { makeCall } from './make-call.ts';
import { somebodyThere } from './presence.ts';

export const sourcesKey = ['sources'] as const;

const whileRunning = 1000;
const otherwise = 15_000;

export const isUnderWay = ({ run }: Pick<SourceState, 'run'>): boolean => run?.state === 'running' || run?.state === 'queued';

export function useSources() {
  return useQuery({
    queryKey: sourcesKey,
    queryFn: async ({ signal }) => (await makeCall(sourcesCall, { signal })).objList,
    refetchInterval: ({ state }) => (somebodyThere() ? (state.data?.some(isUnderWay) ? whileRunning : otherwise) : otherwise * 1000),
    refetchIntervalInBackground: false,
  });
}
