/** Returns the source of a list, and refetches the rows when one of its runs ends. */

import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { SourceState } from '@patch/contract/sources/sync-endpoints.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { queryKeys } from '../../api/query-keys.ts';
import { useSources } from '../../api/use-sources.ts';

export function useListSource(list: ListDefinition): SourceState | undefined {
  const { data } = useSources();
  const queries = useQueryClient();
  const source =
    list.source === null ? undefined : data?.find((candidate) => candidate.source === list.source);
  const endedAt = source?.run?.endedAt ?? null;
  const lastEndedAt = useRef<number | null | undefined>(undefined);
  useEffect(() => {
    if (source === undefined) return;
    if (lastEndedAt.current !== undefined && endedAt !== null && endedAt !== lastEndedAt.current) {
      void queries.invalidateQueries({ queryKey: queryKeys.lists.all(list.key) });
    }
    lastEndedAt.current = endedAt;
  }, [source, endedAt, queries, list]);
  return source;
}

/**
 * Returns true while no source has ever filled anything, for a list that opens with criteria: these narrow it before the user asked
 * for anything. False while unknown.
 */
export function useIsUnfilled(list: ListDefinition): boolean {
  const { data } = useSources();
  if (data === undefined || list.opens?.criteria === undefined) return false;
  return data.every(
    ({ lastSuccessAt, lists }) => lastSuccessAt === null && lists.every(({ rows }) => rows === 0),
  );
}
