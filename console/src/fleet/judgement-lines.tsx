/** The scope of a machine's judgement: the dates of the compared data, and the packages that were not judged. */
import type { MachineJudgement } from '@patch/contract/assessment-endpoint.ts';
import {
  comparedText,
  scopeTexts,
  sourceSentence,
  sourceSentences,
} from '@patch/contract/assessment-words.ts';
import styles from './fleet.module.css';

/** Shown first, because the judgement is as old as its data. */
export function ComparedSources({ judgement }: { readonly judgement: MachineJudgement }) {
  const { sources } = judgement;
  return (
    <div>
      {sources.length === 0 && (
        <p className={styles['stale']}>{sourceSentences(judgement).join('. ')}.</p>
      )}
      {sources.map((source) => (
        <p key={source.service} className={styles[source.concern === null ? 'quiet' : 'stale']}>
          {sourceSentence(source)}.
        </p>
      ))}
      <p className={styles['quiet']}>{comparedText(judgement)}</p>
    </div>
  );
}

export function NotJudged({ judgement }: { readonly judgement: MachineJudgement }) {
  const rows = scopeTexts(judgement);
  if (rows.length === 0) return null;
  return (
    <ul className={styles['warnings']}>
      {rows.map((row) => (
        <li key={row}>{row}</li>
      ))}
    </ul>
  );
}
