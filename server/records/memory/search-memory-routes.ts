/** The endpoint that reports the lists in memory. */
import { searchMemoryEndpoint } from '@patch/contract/records/search-memory-endpoint.ts';
import type { RouteRegistrar } from '../../platform/http/route.ts';
import type { ListMemories } from './list-memories.ts';

export function searchMemoryRoutes(
  route: RouteRegistrar,
  { memories }: { readonly memories: ListMemories },
): void {
  route(searchMemoryEndpoint, async () => ({
    maxBytes: memories.maxBytes,
    lists: memories.figures
      .map(({ list, bytes, rows, isComplete }) => ({
        list: list.key,
        label: list.label,
        bytes,
        records: rows,
        complete: isComplete,
      }))
      .toSorted((a, b) => b.bytes - a.bytes),
  }));
}
