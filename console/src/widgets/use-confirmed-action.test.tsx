import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render, renderHook, screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ApiCallError } from '../api/api-call-error.ts';
import { queryKeys } from '../api/query-keys.ts';
import { clearToasts, currentToasts } from '../api/toast.ts';
import { person } from '../testing/person.ts';
import { ConfirmHost } from './confirm-modal.tsx';
import { useConfirmedAction } from './use-confirmed-action.ts';

beforeEach(() => void render(<ConfirmHost />));
afterEach(clearToasts);

const toasts = () => currentToasts().map(({ kind, title }) => `${kind}: ${title}`);

/** Opens the question for 'a.zip'; Yes calls `run`. */
async function askToRemove(run: (file: string) => Promise<{ readonly message: string }>) {
  const queries = new QueryClient();
  queries.setQueryData(queryKeys.downloads.files(), []);
  queries.setQueryData(queryKeys.sources.all(), []);
  const wrapper = ({ children }: { readonly children: ReactNode }) => (
    <QueryClientProvider client={queries}>{children}</QueryClientProvider>
  );
  const { result } = renderHook(
    () =>
      useConfirmedAction({
        question: (file: string) => ({ title: `Remove ${file}?`, yes: 'Remove' }),
        run,
        success: (file, { message }) => `${file}: ${message}`,
        invalidates: [queryKeys.downloads.all()],
      }),
    { wrapper },
  );
  const outcome = vi.fn();
  act(() => void result.current('a.zip').then(outcome));
  await screen.findByRole('dialog', { name: /Remove a\.zip\?/ });
  return {
    outcome,
    answer: (button: string) => person.click(screen.getByRole('button', { name: button })),
    isReadAgain: () => queries.getQueryState(queryKeys.downloads.files())?.isInvalidated,
    isOtherReadAgain: () => queries.getQueryState(queryKeys.sources.all())?.isInvalidated,
  };
}

it('runs the action on Yes, shows the outcome and invalidates the queries', async () => {
  const run = vi.fn(() => Promise.resolve({ message: 'removed' }));
  const { outcome, answer, isReadAgain, isOtherReadAgain } = await askToRemove(run);
  expect(run).not.toHaveBeenCalled();
  await answer('Remove');
  await waitFor(() => expect(outcome).toHaveBeenCalledExactlyOnceWith(true));
  expect(run).toHaveBeenCalledExactlyOnceWith('a.zip');
  expect(toasts()).toEqual(['success: a.zip: removed']);
  expect(isReadAgain()).toBe(true);
  expect(isOtherReadAgain()).toBe(false);
});

it('does nothing on No', async () => {
  const run = vi.fn(() => Promise.resolve({ message: 'removed' }));
  const { outcome, answer, isReadAgain } = await askToRemove(run);
  await answer('No');
  await waitFor(() => expect(outcome).toHaveBeenCalledExactlyOnceWith(false));
  expect(run).not.toHaveBeenCalled();
  expect(toasts()).toEqual([]);
  expect(isReadAgain()).toBe(false);
});

it('shows why the action failed and still invalidates the queries', async () => {
  const { outcome, answer, isReadAgain } = await askToRemove(() =>
    Promise.reject(new ApiCallError(409, 'in_use', 'The file is being downloaded.')),
  );
  await answer('Remove');
  await waitFor(() => expect(outcome).toHaveBeenCalledExactlyOnceWith(false));
  expect(toasts()).toEqual(['error: The file is being downloaded.']);
  expect(isReadAgain()).toBe(true);
});

it("shows an error of the action with the message 'cancelled'", async () => {
  const { outcome, answer } = await askToRemove(() => Promise.reject(new Error('cancelled')));
  await answer('Remove');
  await waitFor(() => expect(outcome).toHaveBeenCalledExactlyOnceWith(false));
  expect(toasts()).toEqual(['error: Something went wrong on this page.']);
});

it('keeps the dialog open until the action is done', async () => {
  let finish: () => void = () => {};
  const { outcome, answer } = await askToRemove(
    () =>
      new Promise((resolve) => {
        finish = () => resolve({ message: 'removed' });
      }),
  );
  await answer('Remove');
  await waitFor(() => expect(screen.queryByRole('button', { name: 'No' })).toBeNull());
  expect(outcome).not.toHaveBeenCalled();
  finish();
  await waitFor(() => expect(outcome).toHaveBeenCalledExactlyOnceWith(true));
});
