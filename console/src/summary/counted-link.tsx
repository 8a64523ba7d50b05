/** Number of the rows that a search finds, as a link to the search. It counts with the search itself. */
import type { ListKey } from '@patch/catalogue/lists.ts';
import type { Figure } from '@patch/contract/dashboard-endpoint.ts';
import { buildFigure } from '../widgets/build-figure.ts';
import { FigureLink } from '../widgets/figure-link.tsx';
import type { Counted } from '../widgets/format-number.ts';
import { useCount } from './use-count.ts';

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
