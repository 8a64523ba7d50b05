/** All sources with their freshness, last 90 days, newest record and last successful sync. */
import type { SourceState } from '@patch/contract/sync-endpoints.ts';
import { Link } from '@tanstack/react-router';
import { FreshnessWord } from '../../releases/freshness-word.tsx';
import { ReleaseFacts } from '../../releases/release-facts.tsx';
import { ReleaseStrip, StripAxis } from '../../releases/release-strip.tsx';
import { runSearch, syncPath } from '../../widgets/list-paths.ts';
import { TimeAgo } from '../../widgets/time-ago.tsx';
import { SourceMark } from '../../widgets/vendor-mark.tsx';
import styles from './source-freshness.module.css';

export function SourceFreshness({ sources }: { readonly sources: readonly SourceState[] }) {
  return (
    <>
      <StripAxis />
      <ul className={styles['sources']}>
        {sources.map((state) => (
          <li key={state.source} className={styles['source']}>
            <div className={styles['head']}>
              <SourceMark of={state.source} size={20} />
              <Link
                to={syncPath}
                search={runSearch(state.source, state.run?.id)}
                className={styles['name']}
              >
                {state.label}
              </Link>
              <FreshnessWord state={state} />
            </div>
            <ReleaseStrip state={state} />
            <div className={styles['facts']}>
              <ReleaseFacts state={state} />
              {state.lastSuccessAt === null ? null : (
                <p className={styles['time']}>
                  Synced <TimeAgo value={state.lastSuccessAt} />
                </p>
              )}
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}
