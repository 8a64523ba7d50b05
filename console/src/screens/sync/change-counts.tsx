/** The numbers of records that a run added, changed, withdrew and rejected. Each number can link to its records. */
import type { Run } from '@patch/contract/sources/sync-endpoints.ts';
import { Link } from '@tanstack/react-router';
import { formatNumber } from '../../widgets/format-number.ts';
import styles from './change-counts.module.css';

const counts = [
  { of: 'added', sign: '+', word: 'added' },
  { of: 'changed', sign: '~', word: 'changed' },
  { of: 'withdrawn', sign: '−', word: 'withdrawn' },
  { of: 'rejected', sign: '!', word: 'rejected' },
] as const;

export interface ChangeCountsProps {
  readonly run: Run;
  /** False when the counts are inside a button. */
  readonly linked?: boolean;
}

export function ChangeCounts({ run, linked = false }: ChangeCountsProps) {
  const nonZeroCounts = counts.filter(({ of }) => run[of] > 0);
  if (nonZeroCounts.length === 0)
    return <span className="text-quiet">{describeNoChanges(run)}</span>;
  return (
    <ul className={`${styles['counts']} flex flex-wrap gap-x-3 plain-list figures`}>
      {nonZeroCounts.map(({ of, sign, word }) => {
        const content = (
          <>
            <span aria-hidden="true">{sign}</span>
            {formatNumber(run[of])} <span className="text-quiet">{word}</span>
          </>
        );
        return (
          <li key={of} data-count={of}>
            {linked ? (
              <Link to="." className="text-inherit" search={toRecordSearch(run, of)}>
                {content}
              </Link>
            ) : (
              content
            )}
          </li>
        );
      })}
    </ul>
  );
}

const toRecordSearch = ({ source, id }: Run, key: (typeof counts)[number]['of']) =>
  key === 'rejected'
    ? { source, run: id, show: 'rejections' as const }
    : { source, run: id, show: 'changes' as const, kind: key };

/** A successful run without changes found nothing new. A run that ended early, or is still running, cannot say that. */
function describeNoChanges({ state, endedAt }: Run): string {
  if (endedAt === null) return 'Nothing yet';
  return state === 'succeeded' || state === 'succeeded_with_warnings'
    ? 'Nothing new'
    : 'Nothing changed';
}
