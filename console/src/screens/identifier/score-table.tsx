/** All CVSS scores of a CVE with their source and date, the preferred one first. */

import { catalogueLists } from '@patch/catalogue/lists.ts';
import { formatScorerName } from '@patch/catalogue/risk/scorer-names.ts';
import type { Score } from '@patch/contract/records/vulnerability-endpoint.ts';
import { Link } from '@tanstack/react-router';
import { ColumnHeads } from '../../theme/column-heads.tsx';
import { dayDate } from '../../values/day-date.ts';
import { recordPath } from '../../widgets/list-paths.ts';
import styles from './score-table.module.css';

export function ScoreTable({ scores }: { readonly scores: readonly Score[] }) {
  if (scores.length === 0) return null;
  return (
    <div className="overflow-x-auto">
      <table
        className={`${styles['table']} w-full border-collapse text-dense`}
        aria-label="CVSS scores"
      >
        <ColumnHeads of={['CVSS from', 'Version', 'Score', 'Vector', 'Stated']} />
        <tbody>
          {scores.map((score) => (
            <ScoreRow key={getKey(score)} score={score} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

const getKey = ({ scorer, source, version, score, vector }: Score) =>
  [scorer, source, version, score, vector].join(' ');

function ScoreRow({
  score: { scorer, source, version, score, vector, statedOn, record },
}: {
  readonly score: Score;
}) {
  const list = catalogueLists.find(({ key }) => key === record?.list);
  return (
    <tr>
      <td>{formatScorerName(scorer, source)}</td>
      <td data-label="CVSS">{version ?? 'not stated'}</td>
      <td data-label="Score">{score.toFixed(1)}</td>
      <td className="font-mono break-anywhere">{vector}</td>
      <td>
        {statedOn !== null && <span className="nowrap">{dayDate(statedOn, 'UTC')}</span>}
        {record !== null && list !== undefined && (
          <>
            {statedOn !== null && ' in '}
            <Link to={recordPath(list, record.recordId)} className="mono">
              {record.identifier ?? `record ${record.recordId}`}
            </Link>
          </>
        )}
      </td>
    </tr>
  );
}
