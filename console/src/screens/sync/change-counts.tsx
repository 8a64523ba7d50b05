/** What a run did to the records: added, changed, withdrawn, and kept out. Words of their own when it did nothing. Each number can lead to the records. */
import type { Run } from '@patch/contract/sync-endpoints.ts';
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
  /** Off where the counts stand in a button. */
  readonly linked?: boolean;
}

export function ChangeCounts({ run, linked = false }: ChangeCountsProps) {
  const told = counts.filter(({ of }) => run[of] > 0);
  if (told.length === 0) return <span className={styles['none']}>{nothingWords(run)}</span>;
  return (
    <ul className={styles['counts']}>
      {told.map(({ of, sign, word }) => {
        const words = (
          <>
            <span aria-hidden="true">{sign}</span>
            {formatNumber(run[of])} <span className={styles['word']}>{word}</span>
          </>
        );
        return (
          <li key={of} data-count={of}>
            {linked ? (
              <Link to="." search={recordsOf(run, of)}>
                {words}
              </Link>
            ) : (
              words
            )}
          </li>
        );
      })}
    </ul>
  );
}

const recordsOf = ({ source, id }: Run, of: (typeof counts)[number]['of']) =>
  of === 'rejected'
    ? { source, run: id, show: 'rejections' as const }
    : { source, run: id, show: 'changes' as const, kind: of };

/** That nothing was new is a success; a run that ended early cannot say so, and one that runs not even that. */
function nothingWords({ state, endedAt }: Run): string {
  if (endedAt === null) return 'Nothing yet';
  return state === 'succeeded' || state === 'succeeded_with_warnings'
    ? 'Nothing new'
    : 'Nothing changed';
}
