/**
 * A list whose items the user creates, changes and removes. The server's answers update the cached list instead of fetching it again.
 * The list is fetched while a user is signed in and leaves the cache once no component shows it.
 */
import { keepPreviousData, type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { useSession } from './session.ts';

export interface ItemPage<Item> {
  readonly items: readonly Item[];
  /** Count over all pages. */
  readonly total: number;
}

/** Item ids. */
export interface ItemSelection {
  /** The selected item. */
  readonly active: number | null;
  /** The item whose form is open. */
  readonly editing: number | null;
}

export interface OptimisticListOptions<Item extends { readonly id: number }, Draft, Changes> {
  /** Contains page, sort and search. */
  readonly queryKey: QueryKey;
  readonly load: (signal: AbortSignal) => Promise<ItemPage<Item>>;
  readonly create: (draft: Draft) => Promise<Item>;
  readonly update: (id: number, changes: Changes) => Promise<Item>;
  readonly remove: (id: number) => Promise<unknown>;
  readonly chosen: ItemSelection;
  readonly onChosen: (chosen: ItemSelection) => void;
  /** Puts new items first. Default: false. */
  readonly prepend?: boolean;
}

export function useOptimisticList<Item extends { readonly id: number }, Draft, Changes>(
  options: OptimisticListOptions<Item, Draft, Changes>,
) {
  const { queryKey, load, create, update, remove, chosen, onChosen, prepend = false } = options;
  const queries = useQueryClient();
  const { token } = useSession();
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => load(signal),
    enabled: token !== null,
    gcTime: 0,
    placeholderData: keepPreviousData,
  });
  const items = token === null ? undefined : query.data?.items;
  const findItem = (id: number | null) => items?.find((item) => item.id === id) ?? null;

  const clearAbsent = useEffectEvent((arrived: readonly Item[]) => {
    if (chosen.active !== null && !arrived.some(({ id }) => id === chosen.active))
      onChosen({ ...chosen, active: null });
  });
  const isCurrent = !query.isPlaceholderData;
  useEffect(() => {
    if (items !== undefined && isCurrent) clearAbsent(items);
  }, [items, isCurrent]);

  async function change(transform: (page: ItemPage<Item>) => ItemPage<Item>): Promise<void> {
    // A pending reply was read before this change.
    await queries.cancelQueries({ queryKey });
    queries.setQueryData<ItemPage<Item>>(queryKey, (page) =>
      page === undefined ? page : transform(page),
    );
  }

  /** Replaces the item that has the same id. */
  const replace = (item: Item): Promise<void> =>
    change(({ items: before, total }) => ({
      items: before.map((existing) => (existing.id === item.id ? item : existing)),
      total,
    }));

  return {
    query,
    items,
    total: token === null ? undefined : query.data?.total,
    active: findItem(chosen.active),
    editing: findItem(chosen.editing),
    replace,

    /** Updates the item with `id`, or creates one without it. */
    async save(
      ...[given, id]:
        | readonly [draft: Draft, id?: undefined]
        | readonly [changes: Changes, id: number]
    ): Promise<Item> {
      const saved = await (id === undefined ? create(given) : update(id, given));
      if (id !== undefined) await replace(saved);
      else
        await change(({ items: before, total }) => ({
          items: prepend ? [saved, ...before] : [...before, saved],
          total: total + 1,
        }));
      return saved;
    },

    remove: async (id: number): Promise<void> => {
      await remove(id);
      await change(({ items: before, total }) => ({
        items: before.filter((item) => item.id !== id),
        total: total - 1,
      }));
      const clear = (selected: number | null) => (selected === id ? null : selected);
      onChosen({ active: clear(chosen.active), editing: clear(chosen.editing) });
    },
  };
}
