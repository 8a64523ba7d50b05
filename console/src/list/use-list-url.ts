/** The list's state as the address holds it now, and the way to change it. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import { usePreferences } from '../api/preferences.ts';
import { useReaderZone } from '../values/reader-zone.ts';
import {
  type Change,
  changedState,
  type ListState,
  listSearchSchema,
  readListState,
  viewToOpen,
  writeListState,
} from './list-url.ts';

export interface ListUrl {
  readonly state: ListState;
  /** What the address asked and the list cannot answer. */
  readonly refused: readonly string[];
  /** A step that Back undoes, unless it replaces the step before. */
  readonly change: (change: Change, how?: { readonly replace?: boolean }) => Promise<void>;
  /** The view that opens by itself, by the address with which the list was opened. */
  readonly toOpen: ReturnType<typeof viewToOpen>;
}

export function useListUrl(list: ListDefinition): ListUrl {
  const search = useSearch({ strict: false });
  const navigate = useNavigate();
  const timeZone = useReaderZone();
  const preference = usePreferences().preferences[list.key];
  const { refused, ...state } = useMemo(
    // Whether a criterion can be asked does not hang on the time; what it asks is worked out with each request.
    () => readListState(list, listSearchSchema.parse(search), { now: 0, timeZone }, preference),
    [list, search, timeZone, preference],
  );
  const change = useCallback<ListUrl['change']>(
    (changed, { replace = false } = {}) =>
      navigate({
        to: '.',
        search: writeListState(list, changedState(state, changed), preference) as never,
        replace,
        resetScroll: false,
      }),
    [navigate, list, state, preference],
  );
  const [toOpen] = useState(() => viewToOpen(listSearchSchema.parse(search)));
  return { state, refused, change, toOpen };
}
