/** Number of the rows that a search finds, as a link to the search. It counts with the search itself. */
import { getList, type ListKey } from '@patch/catalogue/lists.ts';
import { filterText } from '@patch/contract/filter/filter-text.ts';
import { searchEndpoint } from '@patch/contract/records/search-endpoint.ts';
import type { Figure } from '@patch/contract/reports/dashboard-endpoint.ts';
import { useQuery } from '@tanstack/react-query';
import { callApi } from '../api/call-api.ts';
import { queryKeys } from '../api/query-keys.ts';
import { buildFigure } from '../widgets/build-figure.ts';
import { FigureLink } from '../widgets/figure-link.tsx';
import type { Counted } from '../widgets/format-number.ts';

interface CountedLinkProps {
  /** Its number is not used. */
  readonly figure: Pick<Figure, 'list' | 'criteria'>;
  readonly counts: string | Counted;
  /** Absent: the number alone. */
  readonly format?: (count: number) => string;
}

/** Renders a dash until the number is known, and when it cannot be read. */
export function CountedLink({ figure, counts, format }: CountedLinkProps) {
  const count = useCount(figure);
  if (count === undefined) return <>–</>;
  const { list, criteria } = figure;
  return (
    <FigureLink figure={buildFigure(list as ListKey, count, criteria)} counts={counts}>
      {format?.(count)}
    </FigureLink>
  );
}

/** Returns undefined until the number is known, and when it cannot be read. */
export function useCount({
  list: key,
  criteria,
}: Pick<Figure, 'list' | 'criteria'>): number | undefined {
  const list = getList(key as ListKey);
  const filter = filterText(list, criteria, { now: 0, timeZone: 'UTC' });
  const { data } = useQuery({
    queryKey: queryKeys.lists.count(key, filter),
    queryFn: async ({ signal }) =>
      (await callApi(searchEndpoint(list), { query: { size: 1 }, body: { filter }, signal }))
        .totalCount,
    meta: { quiet: true },
  });
  return data;
}
