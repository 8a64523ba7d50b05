/** The scope of a machine's judgement: the dates of the compared data, and the packages that were not judged. */
import type { MachineJudgement } from '@patch/contract/fleet/assessment-endpoint.ts';
import {
  comparedText,
  scopeTexts,
  sourceSentence,
  sourceSentences,
} from '@patch/contract/fleet/assessment-words.ts';
import styles from './fleet.module.css';

const staleClass = `${styles['stale']} mb-1 py-1 px-2 rounded text-warning font-600`;

/** Shown first, because the judgement is as old as its data. */
export function ComparedSources({ judgement }: { readonly judgement: MachineJudgement }) {
  const { sources } = judgement;
  return (
    <div>
      {sources.length === 0 && (
        <p className={staleClass}>{sourceSentences(judgement).join('. ')}.</p>
      )}
      {sources.map((source) => (
        <p
          key={source.service}
          className={source.concern === null ? 'text-quiet figures' : staleClass}
        >
          {sourceSentence(source)}.
        </p>
      ))}
      <p className="text-quiet figures">{comparedText(judgement)}</p>
    </div>
  );
}

export function NotJudged({ judgement }: { readonly judgement: MachineJudgement }) {
  const rows = scopeTexts(judgement);
  if (rows.length === 0) return null;
  return (
    <ul className="m-0 pl-4">
      {rows.map((row) => (
        <li key={row}>{row}</li>
      ))}
    </ul>
  );
}
