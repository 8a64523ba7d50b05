/** Every source with when it was last synced with success, and whether that is long ago. */
import { type Freshness, freshnessOf } from '@patch/contract/source-freshness.ts';
import type { SourceState } from '@patch/contract/sync-calls.ts';
import { Link } from '@tanstack/react-router';
import type { ColourName } from '../../theme/tokens.ts';
import { colour } from '../../theme/tokens.ts';
import { runSearch, syncPath } from '../../widgets/list-paths.ts';
import { useNow } from '../../widgets/ticking-clock.ts';
import { TimeAgo } from '../../widgets/time-ago.tsx';
import { SourceMark } from '../../widgets/vendor-mark.tsx';
import styles from './source-freshness.module.css';

const looks: Readonly<Record<Freshness, { readonly word: string; readonly colour: ColourName }>> = {
  fresh: { word: 'Fresh', colour: 'success' },
  stale: { word: 'Stale', colour: 'warning' },
  never: { word: 'Never synced', colour: 'danger' },
  off: { word: 'Switched off', colour: 'textQuiet' },
  unavailable: { word: 'No feed', colour: 'textQuiet' },
};

export function SourceFreshness({ sources }: { readonly sources: readonly SourceState[] }) {
  const now = useNow();
  return (
    <ul className={styles['sources']}>
      {sources.map((state) => {
        const look = looks[freshnessOf(state, now)];
        return (
          <li key={state.source} className={styles['source']}>
            <SourceMark of={state.source} size={20} />
            <Link to={syncPath} search={runSearch(state.source, state.run?.id)} className={styles['name']}>
              {state.label}
            </Link>
            <span className={styles['time']}>{state.lastSuccessAt === null ? null : <TimeAgo value={state.lastSuccessAt} />}</span>
            <span className={styles['word']} style={{ color: colour(look.colour) }}>
              {look.word}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
