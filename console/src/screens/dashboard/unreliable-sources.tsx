/** The stale and silent sources with the reason, then those that were never synced. */
import { type Freshness, getFreshness } from '@patch/contract/source-freshness.ts';
import type { SourceState } from '@patch/contract/sync-endpoints.ts';
import { Link } from '@tanstack/react-router';
import { FreshnessWord } from '../../releases/freshness-word.tsx';
import { runSearch, syncPath } from '../../widgets/list-paths.ts';
import { useNow } from '../../widgets/ticking-clock.ts';
import { SourceMark } from '../../widgets/vendor-mark.tsx';
import { describeFreshness } from './freshness-text.ts';
import styles from './unreliable-sources.module.css';

export function UnreliableSources({ sources }: { readonly sources: readonly SourceState[] }) {
  const now = useNow();
  const filterByState = (...states: readonly Freshness[]) =>
    sources.filter((source) => states.includes(getFreshness(source, now)));
  // Users rely on sources with data, so outdated ones come first.
  const outdated = [...filterByState('stale'), ...filterByState('silent')];
  const never = filterByState('never');
  if (outdated.length + never.length === 0)
    return <p className={styles['none']}>{describeFreshness(sources, now)}.</p>;
  return (
    <>
      <ul className={styles['sources']} aria-label="Sources that are stale or silent">
        {outdated.map((source) => (
          <li key={source.source} className={styles['source']}>
            <SourceMark of={source.source} size={16} />
            <SourceLink source={source} />
            <span className={styles['state']}>
              <FreshnessWord state={source} />
            </span>
          </li>
        ))}
      </ul>
      {never.length > 0 && (
        <p className={styles['never']}>
          Never synced:{' '}
          {never.map((source, index) => (
            <span key={source.source}>
              {index > 0 && ', '}
              <SourceLink source={source} />
            </span>
          ))}
        </p>
      )}
    </>
  );
}

const SourceLink = ({ source }: { readonly source: SourceState }) => (
  <Link to={syncPath} search={runSearch(source.source, source.run?.id)}>
    {source.label}
  </Link>
);
