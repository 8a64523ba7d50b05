/** Other records that fix a CVE for a release, folded below its first fix. */
import type { CatalogueList } from '@patch/catalogue/lists.ts';
import type { MatrixCell } from '@patch/contract/records/vulnerability-endpoint.ts';
import { Link } from '@tanstack/react-router';
import { dayDate } from '../../values/day-date.ts';
import { recordPath } from '../../widgets/list-paths.ts';

interface OtherFixesProps {
  readonly list: CatalogueList;
  readonly cells: readonly MatrixCell[];
}

export function OtherFixes({ list, cells }: OtherFixesProps) {
  if (cells.length === 0) return null;
  return (
    <details>
      <summary className="py-2 text-quiet cursor-pointer">
        {cells.length === 1 ? '1 other record names it' : `${cells.length} other records name it`}
      </summary>
      <ul className="plain-list">
        {cells.map(({ recordId, fixedIn, identifier, releaseDate }) => (
          <li key={recordId}>
            <Link to={recordPath(list, Number(recordId))} className="mono">
              {fixedIn ?? identifier ?? `record ${recordId}`}
            </Link>
            {releaseDate !== null && (
              <span className="text-quiet text-dense"> {dayDate(releaseDate, 'UTC')}</span>
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}
