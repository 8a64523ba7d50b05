import { specified } from '@patch/catalogue/testing/specified.ts';
import { QueryClientProvider, useMutation, useQuery } from '@tanstack/react-query';
import { act, render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { ToastHost } from '../widgets/toast-host.tsx';
import { ApiCallCancelled, ApiCallError } from './api-call-error.ts';
import { newQueryClient } from './query-client.ts';
import { queryKeys } from './query-keys.ts';

const refused = new ApiCallError(401, 'unauthenticated', 'Sign in.');
const failed = new ApiCallError(500, 'broken', 'The database is away.');
const failedMeta = { failed: 'The list could not be loaded.' };

/** Counts the toasts after a query and a mutation that both fail. */
async function countToasts(
  failure: Error,
  meta: { readonly query?: object; readonly mutation?: object },
): Promise<number> {
  const options = {
    queryKey: queryKeys.settings.all(),
    queryFn: () => Promise.reject(failure),
    retry: false,
    ...(meta.query && { meta: { ...meta.query } }),
  };
  function Screen() {
    useQuery(options);
    const { mutate } = useMutation({
      mutationFn: () => Promise.reject(failure),
      ...(meta.mutation && { meta: { ...meta.mutation } }),
    });
    return (
      <button type="button" onClick={() => mutate()}>
        Save
      </button>
    );
  }
  render(
    <QueryClientProvider client={newQueryClient()}>
      <ToastHost />
      <Screen />
    </QueryClientProvider>,
  );
  await act(async () => screen.getByRole('button', { name: 'Save' }).click());
  await act(() => new Promise((resolve) => setTimeout(resolve, 50)));
  return screen.queryAllByRole('alert').length;
}

test('shows a toast for a failed mutation, and one titled Error for a failed query', async () => {
  expect(await countToasts(failed, { query: failedMeta })).toBe(2);
  expect(screen.getByText(specified.errors.failedTitle)).toBeTruthy();
});

test('shows no toast for a 401', async () => {
  expect(await countToasts(refused, { query: failedMeta })).toBe(0);
});

test('shows no toast for a cancelled call', async () => {
  expect(await countToasts(new ApiCallCancelled(), { query: failedMeta })).toBe(0);
});

test('shows no toast for a quiet mutation and a query without a text', async () => {
  expect(await countToasts(failed, { mutation: { quiet: true } })).toBe(0);
});
