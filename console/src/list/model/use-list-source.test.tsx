import { getList } from '@patch/catalogue/lists.ts';
import { sourcesEndpoint } from '@patch/contract/sources/sync-endpoints.ts';
import { runOfSource } from '@patch/contract/testing/run-of-source.ts';
import { stateOfSource } from '@patch/contract/testing/state-of-source.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { renderHook, waitFor } from '@testing-library/react';
import { act, type ReactNode } from 'react';
import { expect, test, vi } from 'vitest';
import { newQueryClient } from '../../api/query-client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { addReplies, respond } from '../../testing/fake-api.ts';
import { useListSource } from './use-list-source.ts';

const alma = getList('almalinux_patch');
const standing = (endedAt: number | null) => [
  stateOfSource({ source: 'almaLinux', run: runOfSource({ source: 'almaLinux', endedAt }) }),
];

test('refetches the rows of a list only when a run of its source ends', async () => {
  addReplies(respond(sourcesEndpoint, () => new Promise(() => undefined)));
  const queries = newQueryClient();
  queries.setQueryData(queryKeys.sources.all(), standing(1));
  const invalidate = vi.spyOn(queries, 'invalidateQueries');
  const wrapper = ({ children }: { readonly children: ReactNode }) => (
    <QueryClientProvider client={queries}>{children}</QueryClientProvider>
  );
  const { result } = renderHook(() => useListSource(alma), { wrapper });
  const become = async (endedAt: number | null) => {
    act(() => void queries.setQueryData(queryKeys.sources.all(), standing(endedAt)));
    await waitFor(() => expect(result.current?.run?.endedAt).toBe(endedAt));
  };
  expect(result.current?.run?.endedAt).toBe(1);
  await become(null);
  expect(invalidate).not.toHaveBeenCalled();
  await become(2);
  expect(invalidate).toHaveBeenCalledExactlyOnceWith({ queryKey: queryKeys.lists.all(alma.key) });
});
