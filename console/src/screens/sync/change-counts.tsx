/** What a run did to the records: added, changed, withdrawn, and kept out. Words of their own when it did nothing. */
import type { Run } from '@patch/contract/sync-calls.ts';
import { figures } from '../../widgets/figures.ts';
import styles from './change-counts.module.css';

const counts = [
  { of: 'added', sign: '+', word: 'added' },
  { of: 'changed', sign: '~', word: 'changed' },
  { of: 'withdrawn', sign: '−', word: 'withdrawn' },
  { of: 'rejected', sign: '!', word: 'rejected' },
] as const;

export function ChangeCounts({ run }: { readonly run: Pick<Run, 'state' | (typeof counts)[number]['of']> }) {
  const told = counts.filter(({ of }) => run[of] > 0);
  if (told.length === 0) return <span className={styles['none']}>{nothingWords(run.state)}</span>;
  return (
    <ul className={styles['counts']}>
      {told.map(({ of, sign, word }) => (
        <li key={of} data-count={of}>
          <span aria-hidden="true">{sign}</span>
          {figures(run[of])} <span className={styles['word']}>{word}</span>
        </li>
      ))}
    </ul>
  );
}

/** That nothing was new is a success; a run that ended early cannot say so. */
const nothingWords = (state: Run['state']) =>
  state === 'succeeded' || state === 'succeeded_with_warnings' ? 'Nothing new' : 'Nothing changed';
