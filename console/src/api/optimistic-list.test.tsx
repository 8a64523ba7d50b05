import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook, waitFor } from '@testing-library/react';
import { type ReactNode, useState } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { signInAs } from '../testing/sign-in-as.ts';
import { type ItemSelection, useOptimisticList } from './optimistic-list.ts';
import { queryKeys } from './query-keys.ts';
import { signOut } from './session.ts';

interface Thing {
  readonly id: number;
  readonly name: string;
}

const noSelection: ItemSelection = { active: null, editing: null };
let queries: QueryClient;
const load = vi.fn<() => Promise<{ items: Thing[]; total: number }>>();
const create = vi.fn<(draft: { name: string }) => Promise<Thing>>();
const update = vi.fn<(id: number, draft: { name: string }) => Promise<Thing>>();
const remove = vi.fn<(id: number) => Promise<void>>();

beforeEach(() => {
  queries = new QueryClient();
  load.mockReset().mockResolvedValue({
    items: [
      { id: 1, name: 'one' },
      { id: 2, name: 'two' },
    ],
    total: 40,
  });
  create.mockReset().mockImplementation(async ({ name }) => ({ id: 3, name }));
  update.mockReset().mockImplementation(async (id, { name }) => ({ id, name }));
  remove.mockReset().mockResolvedValue();
  signInAs();
});
afterEach(() => signOut());

function render({ prepend = false, first = noSelection } = {}) {
  return renderHook(
    () => {
      const [chosen, onChosen] = useState<ItemSelection>(first);
      return {
        chosen,
        onChosen,
        ...useOptimisticList({
          queryKey: queryKeys.users.page({}),
          load,
          create,
          update,
          remove,
          chosen,
          onChosen,
          prepend,
        }),
      };
    },
    {
      wrapper: ({ children }: { children: ReactNode }) => (
        <QueryClientProvider client={queries}>{children}</QueryClientProvider>
      ),
    },
  );
}

async function rendered(options?: Parameters<typeof render>[0]) {
  const hook = render(options);
  await waitFor(() => expect(hook.result.current.items).toHaveLength(2));
  const names = () => hook.result.current.items?.map(({ name }) => name);
  /** Observers are notified asynchronously. */
  const shows = (wanted: readonly string[]) => waitFor(() => expect(names()).toEqual(wanted));
  return { ...hook, shows };
}

describe('useOptimisticList', () => {
  it('changes the cached list without a refetch and appends new items', async () => {
    const { result, shows } = await rendered();
    await act(() => result.current.save({ name: 'new' }));
    await act(() => result.current.save({ name: 'other' }, 1));
    await shows(['other', 'two', 'new']);
    expect(result.current.total).toBe(41);
    await act(() => result.current.remove(2));
    await shows(['other', 'new']);
    expect(result.current.total).toBe(40);
    expect(create).toHaveBeenCalledExactlyOnceWith({ name: 'new' });
    expect(update).toHaveBeenCalledExactlyOnceWith(1, { name: 'other' });
    await act(() => result.current.replace({ id: 3, name: 'with a picture' }));
    await shows(['other', 'with a picture']);
    expect(load).toHaveBeenCalledTimes(1);
  });

  it('prepends new items with the option `prepend`', async () => {
    const { result, shows } = await rendered({ prepend: true });
    await act(() => result.current.save({ name: 'new' }));
    await shows(['new', 'one', 'two']);
    expect(result.current.total).toBe(41);
  });

  it('keeps the items when the server refuses', async () => {
    const { result, shows } = await rendered({ first: { active: 2, editing: 2 } });
    create.mockRejectedValue(new Error('refused'));
    remove.mockRejectedValue(new Error('refused'));
    await expect(result.current.save({ name: 'new' })).rejects.toThrow('refused');
    await expect(result.current.remove(2)).rejects.toThrow('refused');
    await shows(['one', 'two']);
    expect(result.current.chosen).toEqual({ active: 2, editing: 2 });
  });

  it('clears the selection of a removed item', async () => {
    const { result } = await rendered({ first: { active: 2, editing: 2 } });
    expect([result.current.active?.name, result.current.editing?.name]).toEqual(['two', 'two']);
    await act(() => result.current.remove(1));
    expect(result.current.chosen).toEqual({ active: 2, editing: 2 });
    await act(() => result.current.remove(2));
    expect(result.current.chosen).toEqual(noSelection);
    expect([result.current.active, result.current.editing]).toEqual([null, null]);
  });

  it('clears the active item when a refetch does not return it', async () => {
    const { result } = await rendered({ first: { active: 2, editing: null } });
    expect(result.current.active?.name).toBe('two');
    load.mockResolvedValue({ items: [{ id: 1, name: 'one' }], total: 1 });
    await act(() => result.current.query.refetch());
    await waitFor(() => expect(result.current.chosen.active).toBeNull());
  });

  it('fetches only while a user is signed in', async () => {
    signOut();
    const { result } = render();
    expect(result.current.items).toBeUndefined();
    expect(load).not.toHaveBeenCalled();
    act(() => void signInAs());
    await waitFor(() => expect(result.current.items).toHaveLength(2));
    act(() => signOut());
    expect(result.current.items).toBeUndefined();
  });

  it('removes the list from the cache when no component shows it', async () => {
    const { unmount } = await rendered();
    expect(queries.getQueryData(queryKeys.users.page({}))).toBeDefined();
    unmount();
    await waitFor(() => expect(queries.getQueryData(queryKeys.users.page({}))).toBeUndefined());
  });
});
