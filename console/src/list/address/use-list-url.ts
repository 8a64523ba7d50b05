/** Reads and changes a list's state in the address. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import { usePreferences } from '../../api/preferences.ts';
import { useReaderZone } from '../../values/reader-zone.ts';
import {
  applyChange,
  type Change,
  getViewToOpen,
  type ListState,
  listSearchSchema,
  readListState,
  writeListState,
} from './list-url.ts';

export interface ListUrl {
  readonly state: ListState;
  /** Messages about criteria of the address that the list does not support. */
  readonly refused: readonly string[];
  /** Adds a history entry, or replaces the current one. */
  readonly change: (change: Change, how?: { readonly replace?: boolean }) => Promise<void>;
  /** View to open, from the initial address. */
  readonly toOpen: ReturnType<typeof getViewToOpen>;
}

export function useListUrl(list: ListDefinition): ListUrl {
  const search = useSearch({ strict: false });
  const navigate = useNavigate();
  const timeZone = useReaderZone();
  const preference = usePreferences().preferences[list.key];
  const { refused, ...state } = useMemo(
    // The time does not affect parsing; each request resolves relative times.
    () => readListState(list, listSearchSchema.parse(search), { now: 0, timeZone }, preference),
    [list, search, timeZone, preference],
  );
  const change = useCallback<ListUrl['change']>(
    (changed, { replace = false } = {}) =>
      navigate({
        to: '.',
        search: writeListState(list, applyChange(state, changed), preference) as never,
        replace,
        resetScroll: false,
      }),
    [navigate, list, state, preference],
  );
  const [toOpen] = useState(() => getViewToOpen(listSearchSchema.parse(search)));
  return { state, refused, change, toOpen };
}
